import { expect, test } from "vitest";
import { formatNumber } from "./number";

test.each([
  [0, "0"],
  [999, "999"],
  [1_000, "1,000"],
  [-1_234_567, "-1,234,567"],
  [999.5, "1,000"],
  [100_000_000, "100,000,000"],
])("separates the thousands of %d", (value, text) => {
  expect(formatNumber(value)).toBe(text);
});
