import { expect, it } from "vitest";
import { describePrevious } from "./dashboard-view";

it.each([
  ["2026-11-23", "1 January – 23 November 2025"],
  ["2025-12-31", "1 January – 23 November"],
])("says the year that is compared with unless today, %s, is in it", (today, text) => {
  const previous = {
    from: new Date("2024-12-31T23:00:00Z"),
    to: new Date("2025-11-23T11:00:00Z"),
    firstDay: "2025-01-01",
    endDay: "2025-11-23",
    lastDay: "2025-11-23",
    endOfDays: new Date("2025-11-22T23:00:00Z"),
  };
  expect(describePrevious("year", { previous, today }, "Europe/Berlin")).toBe(text);
});
