import { renderToStaticMarkup } from "react-dom/server";
import { createElement } from "react";
import { expect, test } from "vitest";
import { formatCents } from "../../format/money";
import { Chart, type Drawing } from "./chart";
import { drawLineChart } from "./line-chart.server";

type Point = Parameters<typeof drawLineChart>[0]["points"][number];

const chart = (values: (number | null)[], before?: (number | null)[]) =>
  drawLineChart({
    id: "redemptions",
    title: "Redemptions",
    description: "By hour",
    unit: "Redemptions",
    labelHeading: "Hour",
    points: values.map((value, at): Point => ({
      label: `${at}:00`,
      value,
      ...(before && { before: before[at]! }),
    })),
    ...(before && { series: { current: "Today", before: "Yesterday" } }),
  });
const html = (drawn: ReturnType<typeof chart>) =>
  renderToStaticMarkup(createElement(Chart, { ...drawn, children: "table" }));
const linesOf = ({ parts }: Drawing) =>
  parts.filter(({ name, attributes }) => name === "path" && attributes.fill === "none");

test("is a picture with a name and a description, without a style of its own", () => {
  const markup = html(chart([1, 0, 3], [2, 2, 2]));
  expect(markup).toContain('<title id="redemptions-wide-title">Redemptions</title>');
  expect(markup).toContain('<desc id="redemptions-narrow-desc">By hour</desc>');
  expect(markup.match(/role="img"/g)).toHaveLength(3);
  expect(markup).not.toMatch(/style=|clip|#252525|Gill|NaN|undefined|Infinity/);
  expect(markup).not.toMatch(/fill="(?!var\(|none)|stroke="(?!var\()/);
});

test("draws the period before as a dashed line, and names both lines", () => {
  const drawn = chart([1, 0, 3], [2, 2, 2]);
  expect(
    linesOf(drawn.wide).map(({ attributes }) => attributes.strokeDasharray ?? "solid"),
  ).toEqual(["5 4", "solid"]);
  expect(html(drawn)).toMatch(/<li><i><\/i> Today<\/li><li><i><\/i> Yesterday<\/li>/);
  expect(html(chart([1]))).not.toContain("<li>");
});

test("shades what is still to come, and nothing where each place has a value", () => {
  const shades = ({ wide }: ReturnType<typeof chart>) =>
    wide.parts.filter(({ attributes }) => attributes.fillOpacity === "0.4");
  const [shade, ...others] = shades(chart([1, 2, null, null]));
  expect(others).toEqual([]);
  const left = Number(/^M([\d.]+)/.exec(shade!.attributes.d!)![1]);
  expect(left).toBeGreaterThan(500);
  expect(shades(chart([1, 2]))).toEqual([]);
  expect(shades(chart([null, null]))).toEqual([]);
});

test.each([24, 7, 31, 12])("a line of %i values goes through each of them", (count) => {
  const { wide } = chart(Array.from({ length: count }, (_, at) => at));
  const dots = wide.parts.find(({ attributes }) => attributes.d?.includes("a2.5"))!;
  expect(dots.attributes.d!.match(/M/g)).toHaveLength(count);
  expect(linesOf(wide)[0]!.attributes.d!.match(/L/g)).toHaveLength(count - 1);
});

test("a line ends where nothing has happened yet, which the table shows as a dash", () => {
  const drawn = chart([4, 6, null], [1, null, 3]);
  const [before, current] = linesOf(drawn.wide).map(({ attributes }) => attributes.d!);
  expect(current!.match(/[ML]/g)).toEqual(["M", "L"]);
  expect(before!.match(/M/g)).toHaveLength(2);
  expect(drawn.table.rows.map(({ values }) => values)).toEqual([
    ["4", "1"],
    ["6", "–"],
    ["–", "3"],
  ]);
});

test("draws a picture of one value, and of none", () => {
  for (const values of [[5], [0, 0], [null, null], [null, 7, null]])
    expect(html(chart(values))).not.toMatch(/NaN|undefined|Infinity/);
});

/** Draws sums of days in cents. */
function moneyChart(sums: number[], currency: Parameters<typeof formatCents>[1]) {
  return drawLineChart({
    id: "given",
    title: "Discounts given",
    description: "",
    unit: "Discounts",
    labelHeading: "Day",
    format: (cents) => formatCents(cents, currency),
    points: sums.map((value, day) => ({ label: `0${day + 1}.`, value })),
  });
}

test("the highest value says its figure once, as the axis and the table format it", () => {
  const drawn = moneyChart([12_345, 12_345], { symbol: "$", place: "before" });
  const texts = drawn.narrow.parts.map((part) => part.text);
  expect(texts.filter((text) => text === "$123.45")).toHaveLength(1);
  expect(texts).toContain("$150.00");
  expect(drawn.table.rows[1]).toEqual({ label: "02.", values: ["$123.45"] });
});

test("the figures of the axis have room for a currency of wide letters", () => {
  const drawn = moneyChart([4_000], { symbol: "人民币", place: "after" });
  const figure = drawn.narrow.parts.find(({ text }) => text === "40.00\u00a0人民币")!;
  const [digits, signs, letters] = [4 * 7.7, 2 * 3.9, 3 * 12];
  expect(Number(figure.attributes.x)).toBeGreaterThan(digits + signs + letters);
});

test("a line of more than 40 values has a dot at its peak alone", () => {
  const { wide } = chart(Array.from({ length: 41 }, (_, at) => at));
  const dots = wide.parts.find(({ attributes }) => attributes.d?.includes("a2.5"))!;
  expect(dots.attributes.d!.match(/M/g)).toHaveLength(1);
});
