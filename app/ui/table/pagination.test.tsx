import { renderToString } from "react-dom/server";
import { expect, test } from "vitest";
import { ListStatus, type ListPage } from "./pagination";

function rangeOf(page: Partial<ListPage>, rowCount: number): string | undefined {
  const rows = Array.from({ length: rowCount });
  const data = { page: 2, perPage: 25, total: 60, previous: "9", next: "3", rows, ...page };
  const text = renderToString(<ListStatus data={data} noun="code" />).replaceAll("<!-- -->", "");
  return /[\d,]+–[\d,]+ of [\d,]+\+?/.exec(text)?.[0];
}

test("names the rows of a page by its number", () => {
  expect(rangeOf({}, 25)).toBe("26–50 of 60");
  expect(rangeOf({ page: 3, next: undefined, previous: undefined }, 10)).toBe("51–60 of 60");
  const capped = { count: 10_000, isCapped: true };
  expect(rangeOf({ page: 500, total: capped }, 25)).toBe("12,476–12,500 of 10,000+");
});

test("names no rows behind the last one after rows before a cursor were deleted", () => {
  expect(rangeOf({ total: 30, next: null }, 15)).toBe("16–30 of 30");
  expect(rangeOf({ page: 3, total: 70 }, 25)).toBe("46–70 of 70");
});

test("ends the last page with the last row after rows before its cursor were added", () => {
  expect(rangeOf({ total: 70, next: null }, 10)).toBe("61–70 of 70");
});

test("begins the first page with the first row, also while its rows are counted anew", () => {
  expect(rangeOf({ page: 1, previous: null, next: null, total: 70 }, 10)).toBe("1–10 of 70");
});
