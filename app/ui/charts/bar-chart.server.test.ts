import { renderToStaticMarkup } from "react-dom/server";
import { createElement } from "react";
import { expect, test } from "vitest";
import { drawBarChart } from "./bar-chart.server";
import { Chart } from "./chart";

const chart = (values: number[]) =>
  drawBarChart({
    id: "sales",
    title: "Sales & more",
    description: 'By "day"',
    unit: "Sales",
    labelHeading: "Day",
    bars: values.map((value, at) => ({ label: `d${at + 1}`, value })),
  });
const html = (values: number[]) =>
  renderToStaticMarkup(createElement(Chart, { ...chart(values), children: "table" }));

test("is a picture with a name and a description, without a style of its own", () => {
  const markup = html([1, 0, 3]);
  expect(markup).toContain('<title id="sales-wide-title">Sales &amp; more</title>');
  expect(markup).toContain('<desc id="sales-narrow-desc">By &quot;day&quot;</desc>');
  expect(markup).toContain('aria-labelledby="sales-wide-title"');
  expect(markup.match(/role="img"/g)).toHaveLength(3);
  expect(markup).not.toMatch(/style=|#252525|Gill|NaN|undefined|Infinity/);
  expect(markup).not.toMatch(/fill="(?!var\()|stroke="(?!var\()/);
});

test("has a bar for each value but zero, in one shape, and says the highest", () => {
  const { wide } = chart([4, 0, 12, 12]);
  const paths = wide.parts.filter(({ name }) => name === "path");
  expect(paths.map(({ attributes }) => attributes.d!.match(/M/g)!.length)).toEqual([3]);
  expect(html([4, 0, 12, 12]).match(/>12</g)).toHaveLength(3);
});

test.each([
  [
    [0, 0],
    ["0", "1"],
  ],
  [[1], ["0", "1"]],
  [[3], ["0", "1", "2", "3"]],
  [[14], ["0", "5", "10", "15"]],
  [[40], ["0", "10", "20", "30", "40"]],
  [[90], ["0", "50", "100"]],
  [[4_100], ["0", "2,000", "4,000", "6,000"]],
])("the values %j stand before %j", (values, labels) => {
  const texts = [...html(values).matchAll(/<text[^>]*text-anchor="end"[^>]*>([^<]+)</g)];
  expect(texts.slice(0, texts.length / 3).map((match) => match[1])).toEqual(labels);
});

test("ninety bars have ten labels at most, the last one among them", () => {
  const markup = html(Array.from({ length: 90 }, (_, at) => at));
  expect(markup).toContain(">d90<");
  expect(markup.match(/>d\d+</g)!.length).toBeLessThanOrEqual(10 + 6 + 3);
});

test("the table of a chart says each value of its bars", () => {
  expect(chart([1_500, 0]).table).toMatchObject({
    headings: ["Day", "Sales"],
    rows: [
      { label: "d1", values: ["1,500"] },
      { label: "d2", values: ["0"] },
    ],
  });
});
