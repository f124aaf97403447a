import { expect, test } from "vitest";
import { dateLine, formatDate, formatDateTime } from "./date";

test("an instant is shown on the local day of the zone", () => {
  const instant = new Date("2026-12-31T23:30:00Z");
  expect(formatDate(instant, "Europe/London")).toBe("31.12.2026");
  expect(formatDate(instant, "Europe/Berlin")).toBe("01.01.2027");
  expect(formatDateTime(instant, "Europe/Berlin")).toBe("01.01.2027 00:30");
  expect(formatDateTime(instant, "America/Santiago")).toBe("31.12.2026 20:30");
});

test("the date line has its four parts", () => {
  expect(dateLine(new Date("2026-11-21T12:00:00Z"), "UTC")).toEqual({
    day: "21",
    month: "November",
    year: "2026",
    weekday: "Saturday",
  });
  expect(dateLine(new Date("2026-11-01T12:00:00Z"), "UTC").day).toBe("1");
});
