import { renderToStaticMarkup } from "react-dom/server";
import { createElement } from "react";
import { expect, test } from "vitest";
import { dark, darkAccents, light, lightAccents, themeNames } from "../../../styles/palettes";
import { contrast, mix } from "../../../styles/contrast";
import { Chart, type Drawing } from "./chart";
import { heatOpacities } from "./chart.css";
import { drawHeatMap } from "./heat-map.server";

const weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
const hours = Array.from({ length: 24 }, (_, hour) => `${hour}`.padStart(2, "0"));

const chart = (valueAt: (weekday: number, hour: number) => number) =>
  drawHeatMap({
    id: "times",
    title: "Redemptions by weekday and hour",
    description: "The most on Mondays at 08.",
    unit: "Redemptions",
    rowHeading: "weekday",
    columnHeading: "Hour",
    rows: weekdays,
    columns: hours,
    values: weekdays.map((_, weekday) => hours.map((_hour, hour) => valueAt(weekday, hour))),
  });
const html = (drawn: ReturnType<typeof chart>) =>
  renderToStaticMarkup(createElement(Chart, { ...drawn, children: "table" }));
const textsOf = ({ parts }: Drawing) =>
  parts.flatMap(({ pieces = [] }) => pieces.map(([, , text]) => text));

test("is a picture with a name and a description, without a style of its own", () => {
  const markup = html(chart((weekday, hour) => weekday * hour));
  expect(markup).toContain(
    '<title id="times-narrow-title">Redemptions by weekday and hour</title>',
  );
  expect(markup).toContain('aria-describedby="times-wide-desc"');
  expect(markup.match(/role="img"/g)).toHaveLength(3);
  expect(markup).not.toMatch(/style=|NaN|undefined|Infinity/);
  expect(markup).not.toMatch(/fill="(?!var\(|none)|stroke="(?!var\()/);
});

test("each cell but zero says its number, in each picture, as the table does", () => {
  const drawn = chart((weekday, hour) => 100 * weekday + hour);
  const labels = new Set([...weekdays, ...hours]);
  const numbers = Array.from({ length: 168 }, (_, at) => `${100 * Math.floor(at / 24) + (at % 24)}`)
    .filter((number) => number !== "0")
    .sort();
  for (const drawing of [drawn.wide, drawn.medium, drawn.narrow]) {
    const texts = textsOf(drawing);
    for (const label of labels) texts.splice(texts.indexOf(label), 1);
    expect(texts.sort()).toEqual(numbers);
  }
  expect(drawn.table.headings).toEqual(["Hour", ...weekdays]);
  expect(drawn.table.rows).toHaveLength(24);
  expect(drawn.table.rows[8]).toEqual({
    label: "08",
    values: ["8", "108", "208", "308", "408", "508", "608"],
  });
});

test("more is darker, in four shades, and zero is an empty cell", () => {
  const { wide } = chart((weekday, hour) => (weekday === 0 ? hour : 0));
  const cells = wide.parts
    .filter(({ name }) => name === "path")
    .map(({ attributes }) => [attributes.fillOpacity, attributes.d!.match(/M/g)!.length]);
  expect(cells).toEqual([
    [undefined, 145],
    ["0.12", 5],
    ["0.26", 6],
    ["0.4", 6],
    ["1", 6],
  ]);
});

test("shortens numbers that no cell has room for, which the table says whole", () => {
  const drawn = chart((weekday, hour) => (weekday === 2 && hour === 3 ? 1_234_567 : 0));
  expect(textsOf(drawn.narrow)).toContain("1.2M");
  expect(drawn.table.rows[3]!.values[2]).toBe("1,234,567");
});

test.each(
  themeNames.flatMap((name) => [
    { name: `${name}, light`, ...light, ...lightAccents[name] },
    { name: `${name}, dark`, ...dark, ...darkAccents[name] },
  ]),
)("numbers are readable on each shade in $name", ({ surface, accent, text, onAccent }) => {
  for (const opacity of heatOpacities)
    expect(
      contrast(opacity === 1 ? onAccent : text, mix(accent, surface, opacity)),
    ).toBeGreaterThanOrEqual(4.5);
});
