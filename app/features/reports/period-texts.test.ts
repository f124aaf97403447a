import { expect, it } from "vitest";
import {
  centsComparison,
  compare,
  refusedComparison,
  placeInWeek,
  comparedUntil,
  weekdaysFrom,
} from "./period-texts";

const october = "1–23 October";

it.each([
  [112, 100, october, "1–23 October: 100", "12% more"],
  [88, 100, october, "1–23 October: 100", "12% less"],
  [1_000, 20, october, "1–23 October: 20", "4,900% more"],
  [1_995, 1_000, october, "1–23 October: 1,000", "100% more"],
  [10_020, 10_000, october, "1–23 October: 10,000", "<1% more"],
  [1, 1_000, october, "1–23 October: 1,000", ">99% less"],
  [0, 1_000, october, "1–23 October: 1,000", "100% less"],
  [25, 25, october, "1–23 October: 25", "the same"],
  [104, 19, october, "1–23 October: 19", null],
  [0, 0, "yesterday until 15:59", "Yesterday until 15:59: 0", null],
])("compares %i with %i", (current, previous, before, earlier, change) => {
  expect(compare(current, previous, before)).toEqual({ earlier, change });
});

it("names the earlier figure in its own unit, and leaves a percentage of less than $20 out", () => {
  const cents = centsComparison({ symbol: "$", place: "before" });
  expect(compare(18_210, 1_999, october, cents)).toEqual({
    earlier: "1–23 October: $19.99",
    change: null,
  });
  expect(compare(1_000, 2_000, october, cents).change).toBe("50% less");
});

it("tells in words whether more refusals are good or bad", () => {
  expect(compare(30, 20, october, refusedComparison).change).toBe("50% worse");
  expect(compare(10, 20, october, refusedComparison).change).toBe("50% better");
});

it.each([
  ["monday", "Monday", "Sunday", 6],
  ["sunday", "Sunday", "Saturday", 0],
] as const)("begins weeks on %s", (weekStart, first, last, placeOfSunday) => {
  expect(weekdaysFrom(weekStart).at(0)).toBe(first);
  expect(weekdaysFrom(weekStart).at(-1)).toBe(last);
  expect(placeInWeek("2026-11-22", weekStart)).toBe(placeOfSunday);
});

it("names the time at which a span ends within a day, and none for whole days", () => {
  const midnight = new Date("2026-11-20T23:00:00Z");
  const afternoon = new Date("2026-11-21T12:10:00Z");
  const named = (to: Date) =>
    comparedUntil({ to, endOfDays: midnight }, "14–21 October", "Europe/Berlin");
  expect(named(afternoon)).toBe(", compared with 14–21 October until 13:10");
  expect(named(midnight)).toBe("");
});
