import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import {
  countSheets,
  cutLines,
  cuttingLines,
  gridSheet,
  labelPlace,
  labelSheets,
  labelsOnSheets,
  labelsPerSheet,
  type LabelSheet,
  type Line,
  maxLabels,
  sheetsOfFiles,
} from "./label-sheets";
import { property } from "../../../tests/support/property";

// Many cases in one test, on machines that may be busy.
vi.setConfig({ testTimeout: 60_000 });

const slack = 1e-9;

function placesOf(sheet: LabelSheet) {
  return Array.from({ length: labelsPerSheet(sheet) }, (_, index) => labelPlace(sheet, index));
}

function expectOnPaper(sheet: LabelSheet): void {
  const { paper, label } = sheet;
  const places = placesOf(sheet);
  const outside = places.filter(
    ({ x, y }) =>
      Math.min(x, y, paper.width - x - label.width, paper.height - y - label.height) < -slack,
  );
  expect(outside).toEqual([]);
  const overlapping = places.filter((one, index) =>
    places
      .slice(index + 1)
      .some(
        (other) =>
          Math.abs(one.x - other.x) < label.width - slack &&
          Math.abs(one.y - other.y) < label.height - slack,
      ),
  );
  expect(overlapping).toEqual([]);
}

function expectCutsBetween(sheet: LabelSheet): void {
  const { paper, label } = sheet;
  const places = placesOf(sheet);
  const isWrong = ([fromX, fromY, toX, toY]: Line) => {
    const [from, to] = [
      { x: fromX, y: fromY },
      { x: toX, y: toY },
    ];
    const isStraight = from.x === to.x || from.y === to.y;
    const isOnPaper = [from, to].every(
      ({ x, y }) => Math.min(x, y, paper.width - x, paper.height - y) >= -slack,
    );
    const middle = { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 };
    const isThrough = places.some(
      ({ x, y }) =>
        Math.min(middle.x - x, x + label.width - middle.x) > slack &&
        Math.min(middle.y - y, y + label.height - middle.y) > slack,
    );
    return !isStraight || !isOnPaper || isThrough;
  };
  for (const kind of cutLines) expect(cuttingLines(sheet, kind).filter(isWrong)).toEqual([]);
}

describe.each(Object.entries(labelSheets))("%s", (_, sheet) => {
  test("labels lie on the paper and beside each other", () => expectOnPaper(sheet));
  test("cuts lie on the paper and between labels", () => expectCutsBetween(sheet));
});

test.each([
  // From the makers' templates: count, label, first label, pitch.
  ["l7651", 65, [38.1, 21.2], [4.67, 10.7], [40.64, 21.2]],
  ["l7159", 24, [63.5, 33.9], [7.21, 12.9], [66.04, 33.9]],
  ["l7160", 21, [63.5, 38.1], [7.21, 15.15], [66.04, 38.1]],
  ["l7163", 14, [99.1, 38.1], [4.63, 15.15], [101.64, 38.1]],
  ["5160", 30, [66.675, 25.4], [4.7625, 12.7], [69.85, 25.4]],
  ["5163", 10, [101.6, 50.8], [3.96875, 12.7], [106.3625, 50.8]],
] as const)("%s has the published figures", (name, count, label, first, pitch) => {
  const sheet = labelSheets[name];
  expect(labelsPerSheet(sheet)).toBe(count);
  expect([sheet.label.width, sheet.label.height]).toEqual(label);
  expect(sheet.left).toBeCloseTo(first[0], 6);
  expect(sheet.top).toBeCloseTo(first[1], 6);
  expect(sheet.pitchX).toBeCloseTo(pitch[0], 6);
  expect(sheet.pitchY).toBeCloseTo(pitch[1], 6);
});

test("labels are counted row by row", () => {
  const { l7160 } = labelSheets;
  expect(labelPlace(l7160, 1).y).toBe(labelPlace(l7160, 0).y);
  expect(labelPlace(l7160, 3).x).toBe(labelPlace(l7160, 0).x);
});

test("neighbours that touch are cut once, labels that fill their page not at all", () => {
  // 4 marks for 3 columns with gaps (6 edges) above and below, 8 for 7 rows without on both sides.
  expect(cuttingLines(labelSheets.l7160, "crop")).toHaveLength(2 * 6 + 2 * 8);
  expect(cuttingLines(labelSheets.l7160, "lines")).toHaveLength(21 * 4);
  for (const kind of cutLines) expect(cuttingLines(labelSheets["57x32"], kind)).toEqual([]);
});

const length = fc.double({ min: 0, max: 20, noNaN: true });
property([
  fc.constantFrom("a4", "letter"),
  fc.integer({ min: 1, max: 8 }),
  fc.integer({ min: 1, max: 10 }),
  fc.record({ top: length, right: length, bottom: length, left: length }),
  fc.record({
    x: fc.double({ min: 0, max: 9, noNaN: true }),
    y: fc.double({ min: 0, max: 9, noNaN: true }),
  }),
])("a grid fills what margins and gaps leave", (paper, columns, rows, margin, gap) => {
  const sheet = gridSheet({ paper: paper as "a4", columns, rows, margin, gap });
  expectOnPaper(sheet);
  expectCutsBetween(sheet);
  const last = labelPlace(sheet, columns * rows - 1);
  expect(last.x + sheet.label.width).toBeCloseTo(sheet.paper.width - margin.right, 6);
  expect(last.y + sheet.label.height).toBeCloseTo(sheet.paper.height - margin.bottom, 6);
});

test("the first sheet begins where it is told to", () => {
  const spread = { labels: 30, perSheet: 21, first: 20 };
  expect(countSheets(spread)).toBe(3);
  expect(labelsOnSheets(spread, { from: 1, to: 1 })).toEqual({ offset: 0, count: 2, skipped: 19 });
  expect(labelsOnSheets(spread, { from: 2, to: 2 })).toEqual({ offset: 2, count: 21, skipped: 0 });
  expect(labelsOnSheets(spread, { from: 2, to: 3 })).toEqual({ offset: 2, count: 28, skipped: 0 });
  expect(countSheets({ ...spread, labels: 0 })).toBe(0);
});

const spreads = fc.integer({ min: 1, max: 90 }).chain((perSheet) =>
  fc.record({
    labels: fc.integer({ min: 1, max: 3 * maxLabels }),
    perSheet: fc.constant(perSheet),
    first: fc.integer({ min: 1, max: perSheet }),
  }),
);
property([spreads])("every label is on exactly one sheet of one file", (spread) => {
  const sheets = countSheets(spread);
  let label = 0;
  let sheet = 1;
  for (const file of sheetsOfFiles(spread.perSheet, { from: 1, to: sheets })) {
    expect(file.from).toBe(sheet);
    const whole = labelsOnSheets(spread, file);
    expect(whole.offset).toBe(label);
    expect(whole.count).toBeLessThanOrEqual(maxLabels);
    for (; sheet <= file.to; sheet++) {
      const { offset, count, skipped } = labelsOnSheets(spread, { from: sheet, to: sheet });
      if (offset !== label || count < 1 || skipped + count > spread.perSheet)
        expect.fail(`sheet ${sheet}: ${offset}, ${count}, ${skipped}`);
      label += count;
    }
  }
  expect([label, sheet]).toEqual([spread.labels, sheets + 1]);
});
