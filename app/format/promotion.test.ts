import { expect, test } from "vitest";
import { formatCount, formatMoney, formatNumber } from "./number";
import { formatCode, formatDiscount, formatUsesLeft } from "./promotion";

test("discounts", () => {
  expect(formatDiscount("percentage", 25)).toBe("25%");
  expect(formatDiscount("free_drink", 1)).toBe("1 drink");
  expect(formatDiscount("free_drink", 5)).toBe("5 drinks");
  expect(formatDiscount("free_drink", 1000)).toBe("1,000 drinks");
});

test("uses left", () => {
  expect(formatUsesLeft(null)).toBe("Unlimited");
  expect(formatUsesLeft(0)).toBe("0");
});

test("codes", () => {
  expect(formatCode("ABCDEFGH2345")).toBe("ABCD-EFGH-2345");
});

test("money and numbers", () => {
  expect(formatMoney(0)).toBe("$0.00");
  expect(formatMoney(1250)).toBe("$12.50");
  expect(formatMoney(100000000)).toBe("$1,000,000.00");
  expect(formatNumber(1234567)).toBe("1,234,567");
  expect(formatCount({ count: 10000, isCapped: true })).toBe("10,000+");
  expect(formatCount({ count: 7, isCapped: false })).toBe("7");
});
