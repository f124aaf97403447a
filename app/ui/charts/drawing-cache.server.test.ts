import { expect, test, vi } from "vitest";
import type { ChartDrawings } from "./chart";
import { cacheDrawings } from "./drawing-cache.server";

const chart = (points: unknown, format?: (value: number) => string) => ({ points, format });

/** Returns drawings that say which call has made them. */
const draw = () => vi.fn(() => ({ table: { id: String(Math.random()) } }) as ChartDrawings);

test("draws the same data once", () => {
  const drawOnce = draw();
  const first = cacheDrawings("line", chart([1, 2]), drawOnce);
  expect(cacheDrawings("line", chart([1, 2]), drawOnce)).toBe(first);
  expect(drawOnce).toHaveBeenCalledTimes(1);
});

test.each([
  ["other data", "line", chart([3])],
  ["another kind of chart", "bars", chart([4])],
  ["another format", "line", chart([4], (cents) => `$${cents / 100}`)],
])("draws %s anew", (_, kind, data) => {
  cacheDrawings("line", chart([4]), draw());
  const drawAnew = draw();
  cacheDrawings(kind, data, drawAnew);
  expect(drawAnew).toHaveBeenCalledTimes(1);
});

test("forgets the drawings that were used longest ago when they take more than 4 MB", () => {
  const large = (name: string) => chart(name.repeat(1_000_000));
  const drawFirst = draw();
  cacheDrawings("line", large("a"), drawFirst);
  for (const name of ["b", "c"]) cacheDrawings("line", large(name), draw());
  cacheDrawings("line", large("a"), drawFirst);
  expect(drawFirst).toHaveBeenCalledTimes(2);
});
