import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  defaultOptions,
  formatLabels,
  labelFormats,
  parseLabelOptions,
  parseRange,
} from "./label-options";
import { labelSheets, labelsPerSheet } from "./label-sheets";
import { property } from "../../../tests/support/property";

const parse = (query: string) => parseLabelOptions(new URLSearchParams(query), 25);

test("without parameters the usual labels are printed", () => {
  const { options, values, errors } = parse("");
  expect(errors).toEqual({});
  expect(values).toEqual(defaultOptions);
  expect(options).toMatchObject({
    format: "l7160",
    sheet: labelSheets.l7160,
    errorCorrection: "M",
    first: 1,
    cut: "none",
    caption: ["name", "discount", "expiry"],
    isAll: false,
    codes: { from: 1, to: 25 },
  });
});

test("a range without an end goes to the last code, one without a beginning starts with the first", () => {
  expect(parse("from_code=7").options.codes).toEqual({ from: 7, to: 25 });
  expect(parse("to_code=7&codes=all").options).toMatchObject({
    isAll: true,
    codes: { from: 1, to: 7 },
  });
  const { options } = parse("from_code=3&to_code=9");
  expect(parse(new URLSearchParams(options.params).toString()).options).toEqual(options);
});

test("sheets are chosen from those that the codes need", () => {
  const values = { ...defaultOptions, from_sheet: "7" };
  expect(parseRange("sheet", { from: 1, to: 12 }, values)).toMatchObject({
    range: { from: 7, to: 12 },
    errors: {},
  });
  expect(parseRange("sheet", { from: 1, to: 6 }, values)).toEqual({
    range: { from: 1, to: 6 },
    errors: { from_sheet: "The first sheet must be a whole number from 1 to 6" },
    params: [],
  });
  expect(parseRange("sheet", { from: 1, to: 1 }, values).errors).toEqual({
    from_sheet: "There is only 1 sheet. Leave this empty or enter 1",
  });
});

test.each(labelFormats)("%s: its parameters say the same again", (format) => {
  const { options, errors } = parse(`format=${format}&cut=crop&error_correction=H&caption=code`);
  expect(errors).toEqual({});
  expect(options.caption).toEqual([]);
  expect(parse(new URLSearchParams(options.params).toString())).toMatchObject({
    options,
    errors: {},
  });
  expect(formatLabels(format)).not.toBe("");
});

test("lengths of one's own, with a comma or a point", () => {
  const { options, errors } = parse(
    "format=grid&paper=letter&columns=2&rows=3&margin_left=10,5&margin_right=10.5&gap_columns=4",
  );
  expect(errors).toEqual({});
  expect(options.sheet.label.width).toBeCloseTo((215.9 - 21 - 4) / 2, 9);
  expect(parse("format=single&width=62,5&height=29").options.sheet.label).toEqual({
    width: 62.5,
    height: 29,
  });
});

describe("what can't be used is named, and the usual stands in for it", () => {
  test.each([
    { query: "format=golden", format: "Choose a label format" },
    { query: "error_correction=Z", error_correction: "Choose L, M, Q or H" },
    { query: "cut=scissors", cut: "Choose none, corners or lines" },
    { query: "caption=price", caption: "Choose from name, discount and expiration" },
    {
      query: "first=22",
      first:
        "The first label must be a whole number from 1 to 21, the number of labels on this sheet",
    },
    {
      query: "first=0",
      first:
        "The first label must be a whole number from 1 to 21, the number of labels on this sheet",
    },
    { query: "codes=some", codes: "Choose redeemable codes or all codes" },
    {
      query: "from_code=0&to_code=26",
      from_code: "The first code must be a whole number from 1 to 25",
      to_code: "The last code must be a whole number from 1 to 25",
    },
    { query: "from_code=9&to_code=8", to_code: "The last code comes before the first" },
    { query: "format=grid&columns=2.5", columns: "Columns must be a whole number from 1 to 20" },
    { query: "format=grid&paper=a3", paper: "Choose A4 or US Letter" },
    {
      query: "format=grid&margin_top=abc",
      margin_top: "The top margin must be a number of millimetres from 0 to 150",
    },
    {
      query: "format=grid&columns=12",
      columns: "12 columns don't fit: a label would be 14 mm wide, and needs 18 mm",
    },
    {
      query: "format=grid&rows=1&margin_top=150&margin_bottom=150",
      rows: "1 row doesn't fit: margins and gaps leave no room for labels",
    },
    {
      query: "format=single&width=5",
      width: "The width must be a number of millimetres from 18 to 300",
    },
  ])("$query", ({ query, ...messages }) => {
    const { options, errors, values } = parse(query);
    expect(errors).toEqual(messages);
    expect(Object.entries(values)).toEqual(
      expect.arrayContaining(
        [...new URLSearchParams(query)].filter(([name]) => name !== "caption"),
      ),
    );
    expect(parse(new URLSearchParams(options.params).toString())).toMatchObject({
      options,
      errors: {},
    });
  });
});

test("fields of other kinds of labels don't matter", () => {
  expect(parse("format=l7163&columns=abc&width=&margin_top=999").errors).toEqual({});
  expect(parse("format=62x29&first=40").options.first).toBe(1);
});

const value = fc.oneof(
  fc.constantFrom("", "0", "1", "7", "-1", "1e9", "NaN", "999999999", "grid", "single", "5160"),
  fc.string(),
);
property([fc.dictionary(fc.constantFrom(...Object.keys(defaultOptions), "caption"), value)])(
  "whatever the address says, there is something to print",
  (params) => {
    const { options } = parseLabelOptions(new URLSearchParams(params), 25);
    const { label } = options.sheet;
    expect(Math.min(label.width - 18, label.height - 12)).toBeGreaterThanOrEqual(-1e-9);
    expect(options.first).toBeLessThanOrEqual(labelsPerSheet(options.sheet));
    expect(parseLabelOptions(new URLSearchParams(options.params), 25).errors).toEqual({});
  },
);
