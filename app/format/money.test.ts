import { expect, test } from "vitest";
import { decimalDollars, formatCents } from "./money";

test.each([
  [0, "$0.00", "0.00"],
  [1, "$0.01", "0.01"],
  [99, "$0.99", "0.99"],
  [150, "$1.50", "1.50"],
  [1_250, "$12.50", "12.50"],
  [1_000_000, "$10,000.00", "10000.00"],
  [100_000_000, "$1,000,000.00", "1000000.00"],
  [-150, "-$1.50", "-1.50"],
])("%d cents", (cents, words, plain) => {
  expect(formatCents(cents)).toBe(words);
  expect(decimalDollars(cents)).toBe(plain);
});

test("every price is the same number of cents again", () => {
  const prices = Array.from({ length: 1_000_001 }, (_, cents) => cents);
  const wrong = prices.filter((cents) => Math.round(Number(decimalDollars(cents)) * 100) !== cents);
  expect(wrong).toEqual([]);
});
