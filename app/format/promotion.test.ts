import { expect, test } from "vitest";
import { formatBytes, formatCount, formatNumber, formatShare } from "./number";
import {
  allCodes,
  formatCode,
  formatCodes,
  formatDiscount,
  formatPlaces,
  formatUsesLeft,
} from "./promotion";

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
  expect(formatCodes(1)).toBe("1 code");
  expect(formatCodes(100_000)).toBe("100,000 codes");
});

test("one code is neither 'all' nor a range", () => {
  expect(allCodes(1)).toBe("1 code");
  expect(allCodes(2)).toBe("all 2 codes");
  expect(formatPlaces({ from: 201, to: 201 })).toBe("number 201");
  expect(formatPlaces({ from: 201, to: 1202 })).toBe("numbers 201 to 1,202");
});

test("numbers", () => {
  expect(formatNumber(1234567)).toBe("1,234,567");
  expect(formatCount({ count: 10000, isCapped: true })).toBe("10,000+");
  expect(formatCount({ count: 7, isCapped: false })).toBe("7");
});

test("a share is never rounded to nothing or to all", () => {
  expect(formatShare(0, 100_000)).toBe("0%");
  expect(formatShare(1, 100_000)).toBe("<1%");
  expect(formatShare(12, 30)).toBe("40%");
  expect(formatShare(99_999, 100_000)).toBe(">99%");
  expect(formatShare(7, 7)).toBe("100%");
});

test("sizes of files", () => {
  expect(formatBytes(999)).toBe("1 KB");
  expect(formatBytes(12_345)).toBe("12 KB");
  expect(formatBytes(999_999)).toBe("1 MB");
  expect(formatBytes(1_250_000)).toBe("1.3 MB");
  expect(formatBytes(52_300_000)).toBe("52 MB");
  expect(formatBytes(2_400_000_000)).toBe("2.4 GB");
});
