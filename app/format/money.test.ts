import { expect, test } from "vitest";
import { decimalAmount, formatCents } from "./money";

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
  expect(formatCents(cents, { symbol: "$", place: "before" })).toBe(words);
  expect(decimalAmount(cents)).toBe(plain);
});

test.each([
  ["€", "after", "1,234.50\u00a0€", "-0.05\u00a0€"],
  ["€", "before", "€1,234.50", "-€0.05"],
  ["CHF", "before", "CHF\u00a01,234.50", "-CHF\u00a00.05"],
  ["kr", "after", "1,234.50\u00a0kr", "-0.05\u00a0kr"],
  ["R$", "before", "R$1,234.50", "-R$0.05"],
] as const)("writes %s %s the amount", (symbol, place, amount, negative) => {
  expect(formatCents(123_450, { symbol, place })).toBe(amount);
  expect(formatCents(-5, { symbol, place })).toBe(negative);
});

test("every price is the same number of cents again", () => {
  const prices = Array.from({ length: 1_000_001 }, (_, cents) => cents);
  const wrong = prices.filter((cents) => Math.round(Number(decimalAmount(cents)) * 100) !== cents);
  expect(wrong).toEqual([]);
});
