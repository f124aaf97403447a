import { expect, test } from "vitest";
import { moveWidget, type WidgetName } from "./widget-order";

const order: WidgetName[] = ["news", "shares", "signUp", "locked", "loader"];

test("swaps a widget with the one below it", () => {
  expect(moveWidget(order, "news", 1)).toEqual(["shares", "news", "signUp", "locked", "loader"]);
});

test.each([
  ["down past it", "signUp", 3],
  ["up past it", "loader", 3],
] as const)("keeps the locked widget at its place when another moves %s", (_, name, place) => {
  const swapped = ["news", "shares", "loader", "locked", "signUp"];
  expect(moveWidget(order, name, place)).toEqual(swapped);
});

test("keeps the locked widget at its place when another is dragged over several", () => {
  expect(moveWidget(order, "loader", 0)).toEqual(["loader", "news", "shares", "locked", "signUp"]);
  expect(moveWidget(order, "news", 4)).toEqual(["shares", "signUp", "loader", "locked", "news"]);
});

test("leaves a widget below a locked one that is first", () => {
  const lockedFirst: WidgetName[] = ["locked", "news", "shares", "signUp", "loader"];
  expect(moveWidget(lockedFirst, "news", 0)).toEqual(lockedFirst);
});

test("does not move the locked widget", () => {
  expect(moveWidget(order, "locked", 0)).toEqual(order);
});
