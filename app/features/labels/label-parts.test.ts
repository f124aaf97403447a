import { fc, test as propertyTest } from "@fast-check/vitest";
import { expect, test, vi } from "vitest";
import { codesOfSheet, labelParts, maxLabels } from "./label-sheets";

// Many cases in one test, on machines that may be busy.
vi.setConfig({ testTimeout: 60_000 });

test("more than 10,000 codes come in several files, each on sheets of its own", () => {
  expect(labelParts({ numCodes: 20_001, perSheet: 21, first: 4 })).toEqual([
    { number: 1, firstCode: 1, count: 10_000, skipped: 3, firstSheet: 1, sheets: 477 },
    { number: 2, firstCode: 10_001, count: 10_000, skipped: 0, firstSheet: 478, sheets: 477 },
    { number: 3, firstCode: 20_001, count: 1, skipped: 0, firstSheet: 955, sheets: 1 },
  ]);
});

test("the first sheet begins where it is told to", () => {
  const parts = labelParts({ numCodes: 30, perSheet: 21, first: 20 });
  expect(codesOfSheet(parts, 1, 21)).toEqual({ firstCode: 1, count: 2, skipped: 19 });
  expect(codesOfSheet(parts, 2, 21)).toEqual({ firstCode: 3, count: 21, skipped: 0 });
  expect(codesOfSheet(parts, 3, 21)).toEqual({ firstCode: 24, count: 7, skipped: 0 });
  expect(codesOfSheet(parts, 4, 21)).toBeNull();
  expect(codesOfSheet(parts, 0, 21)).toBeNull();
});

const spread = fc.integer({ min: 1, max: 90 }).chain((perSheet) =>
  fc.record({
    numCodes: fc.integer({ min: 1, max: 3 * maxLabels }),
    perSheet: fc.constant(perSheet),
    first: fc.integer({ min: 1, max: perSheet }),
  }),
);
propertyTest.prop([spread])("every code is on exactly one sheet and in one file", (given) => {
  const parts = labelParts(given);
  const { numCodes, perSheet } = given;
  let code = 1;
  let sheet = 1;
  for (const part of parts) {
    expect(part).toMatchObject({ firstCode: code, firstSheet: sheet });
    expect(part.count).toBeLessThanOrEqual(maxLabels);
    const end = sheet + part.sheets;
    for (; sheet < end; sheet++) {
      const found = codesOfSheet(parts, sheet, perSheet)!;
      if (found.firstCode !== code || found.count < 1 || found.skipped + found.count > perSheet)
        expect.fail(`sheet ${sheet}: ${JSON.stringify(found)}`);
      code += found.count;
    }
  }
  expect(code).toBe(numCodes + 1);
});
