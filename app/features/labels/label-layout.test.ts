import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { layOutLabel, quietZone, type Caption, type Measure } from "./label-layout";
import { labelSheets, largestLabel, smallestLabel, type Size } from "./label-sheets";
import { measuringType } from "./label-type.server";
import { property } from "../../../tests/support/property";

// Many cases in one test, on machines that may be busy.
vi.setConfig({ testTimeout: 60_000 });

const slack = 1e-6;
const caption: Caption = {
  name: "Summer party in the park",
  discount: "15%",
  expiry: "valid until 31.12.2026",
  code: "ABCD-EFGH-2345",
};
const { measure } = measuringType();

/** Everything that must hold of any label whatsoever. */
function expectSound(label: Size, wanted: Caption, modules: number, measured: Measure) {
  const layout = layOutLabel(label, wanted, modules, measured);
  const { qr, area, lines, omitted } = layout;
  expect(qr.size).toBeGreaterThan(0);
  expect(qr.module).toBeCloseTo(qr.size / (modules + 2 * quietZone), 9);
  for (const box of [{ ...qr, width: qr.size, height: qr.size }, area]) {
    expect(Math.min(box.x, box.y)).toBeGreaterThanOrEqual(-slack);
    expect(box.x + box.width).toBeLessThanOrEqual(label.width + slack);
    expect(box.y + box.height).toBeLessThanOrEqual(label.height + slack);
  }
  const isBeside = area.x >= qr.x + qr.size - slack;
  const isBelow = area.y >= qr.y + qr.size - slack;
  expect(isBeside || isBelow, "the caption keeps off the QR code").toBe(true);

  let bottom = area.y;
  for (const line of lines) {
    expect(line.size).toBeGreaterThan(0);
    expect(line.x).toBeGreaterThanOrEqual(area.x - slack);
    expect(line.x + line.width).toBeLessThanOrEqual(area.x + area.width + slack);
    // Letters reach 0.75 above the baseline and 0.22 below it.
    expect(line.y - 0.75 * line.size).toBeGreaterThanOrEqual(bottom - slack);
    bottom = line.y + 0.22 * line.size;
    expect(bottom).toBeLessThanOrEqual(area.y + area.height + slack);
  }
  expect(lines.at(-1)).toMatchObject({ part: "code", text: wanted.code });
  for (const part of ["name", "discount", "expiry"] as const) {
    const isThere = lines.some((line) => line.part === part);
    expect(isThere).toBe(wanted[part].trim() !== "" && !omitted.includes(part));
  }
  expect(lines.find(({ part }) => part === "discount")?.text ?? wanted.discount).toBe(
    wanted.discount,
  );
  return layout;
}

const anyName = fc.oneof(
  fc.string({ unit: "grapheme", minLength: 1, maxLength: 200 }),
  fc.stringMatching(/^[A-Za-z ]{1,200}$/),
);
const anyCaption = fc.record({
  name: fc.oneof(fc.constant(""), anyName),
  discount: fc.constantFrom("", "5%", "100%", "1 drink", "1,000 drinks"),
  expiry: fc.constantFrom("", "valid until 31.12.2026"),
  code: fc.constant("WWWW-MMMM-8888"),
});
property(
  [
    fc.double({ min: smallestLabel.width, max: largestLabel.width, noNaN: true }),
    fc.double({ min: smallestLabel.height, max: largestLabel.height, noNaN: true }),
    anyCaption,
    fc.constantFrom(21, 25, 29, 33, 57, 177),
  ],
  { numRuns: 150 },
)("any label of any size is sound", (width, height, wanted, modules) => {
  expectSound({ width, height }, wanted, modules, measure);
});

describe.each(Object.entries(labelSheets))("%s", (_, { label }) => {
  test("holds the whole caption beside a code that scans easily", () => {
    const { qr, omitted, size, isNameWhole } = expectSound(label, caption, 21, measure);
    expect(omitted).toEqual([]);
    expect(isNameWhole).toBe(true);
    expect(qr.module).toBeGreaterThan(0.6);
    expect(size).toBeGreaterThanOrEqual(1.9 - slack);
  });
});

test("a low label has its caption at the right, a square one beneath", () => {
  const low = layOutLabel({ width: 63.5, height: 38.1 }, caption, 21, measure);
  expect(low.qr).toMatchObject({ x: 0, y: 0, size: 38.1 });
  expect(low.area.x).toBe(38.1);
  const square = layOutLabel({ width: 40, height: 40 }, caption, 21, measure);
  expect(square.area.y).toBe(square.qr.size);
  expect(square.qr.size).toBeGreaterThan(22);
});

test("a name takes two lines, and an ellipsis when that is not enough", () => {
  const label = { width: 63.5, height: 38.1 };
  const linesOf = (name: string) =>
    layOutLabel(label, { ...caption, name }, 21, measure).lines.filter(
      ({ part }) => part === "name",
    );
  expect(linesOf("Summer").map(({ text }) => text)).toEqual(["Summer"]);
  expect(
    linesOf("Summer party in the park")
      .map(({ text }) => text)
      .join(" "),
  ).toBe("Summer party in the park");
  const long = linesOf("A name that says a great deal more than any label can hold, ".repeat(3));
  expect(long.length).toBeGreaterThan(1);
  expect(long.at(-1)!.text).toMatch(/\S…$/);
  const oneWord = linesOf("W".repeat(60));
  expect(oneWord.map(({ text }) => text).join("")).toMatch(/^W+…$/);
});

test("leaves out what has no room, in the order name, expiration, discount", () => {
  const gone = [80, 60, 36, 30, 24, 18].map(
    (width) => layOutLabel({ width, height: 14 }, caption, 21, measure).omitted,
  );
  expect(gone[0]).toEqual([]);
  expect(gone.at(-1)).toEqual(["name", "discount", "expiry"]);
  for (const omitted of gone) {
    expect([[], ["name"], ["name", "expiry"], ["name", "discount", "expiry"]]).toContainEqual(
      omitted,
    );
  }
});

test.each([
  ["a narrow label", { width: 18, height: 40 }, caption.code],
  ["a long code", labelSheets.l7651.label, "WXYZ-".repeat(8).slice(0, -1)],
])("leaves nothing out that would make the code of %s no larger", (_, label, code) => {
  const wanted = { ...caption, code };
  const alone = layOutLabel(label, { ...wanted, name: "", discount: "", expiry: "" }, 25, measure);
  const { omitted, size, isNameWhole } = expectSound(label, wanted, 25, measure);
  expect({ omitted, isNameWhole }).toEqual({ omitted: [], isNameWhole: true });
  expect(size).toBeCloseTo(alone.size, 9);
});
