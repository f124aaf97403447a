import { expect, test } from "vitest";
import { toPlatformView } from "./platform-state.server";

const zone = "Europe/Berlin";
const since = new Date("2026-11-21T09:05:00Z");
const quiet = {
  succeededAt: new Date("2026-11-21T09:00:00Z"),
  age: 10,
  failure: null,
  badItems: { count: 0, examples: [] },
  held: null,
};

test("says nothing while all is well", () => {
  expect(toPlatformView(quiet, zone)).toEqual({ failure: null, badItems: null, held: null });
});

test.each([
  [0, "less than a minute ago"],
  [60, "1 minute ago"],
  [7_199, "119 minutes ago"],
  [7_200, "2 hours ago"],
  [172_799, "47 hours ago"],
  [172_800, "2 days ago"],
])("a failure %i s after the last good list", (age, words) => {
  const failure = { message: "SmartVend can't be reached.", since };
  expect(toPlatformView({ ...quiet, age, failure }, zone).failure).toBe(
    `SmartVend can't be reached. The machines shown are from 21.11.2026 10:00, ${words}. No refresh has succeeded since 21.11.2026 10:05.`,
  );
});

test("a failure before the first list", () => {
  const failure = { message: "SmartVend can't be reached.", since };
  expect(toPlatformView({ ...quiet, succeededAt: null, age: null, failure }, zone).failure).toBe(
    "SmartVend can't be reached. Its list has not been read yet. No refresh has succeeded since 21.11.2026 10:05.",
  );
});

test("bad items: how many, the first ones, and the rest", () => {
  const examples = ['"A": the name is not a text'];
  expect(toPlatformView({ ...quiet, badItems: { count: 1, examples } }, zone).badItems).toEqual({
    message: "1 item in SmartVend's list is not valid:",
    examples,
    more: null,
  });
  expect(toPlatformView({ ...quiet, badItems: { count: 1_201, examples } }, zone).badItems).toEqual(
    {
      message: "1,201 items in SmartVend's list are not valid:",
      examples,
      more: "and 1,200 more",
    },
  );
});

test("a list that is held", () => {
  const held = (missing: number, listed: number) =>
    toPlatformView({ ...quiet, held: { since, missing, listed } }, zone).held;
  expect(held(30, 70)).toBe(
    "Since 21.11.2026 10:05 SmartVend lists only 70 machines. The 30 missing machines are not changed.",
  );
  expect(held(1, 0)).toBe(
    "Since 21.11.2026 10:05 SmartVend lists no machine at all. The missing machine is not changed.",
  );
});
