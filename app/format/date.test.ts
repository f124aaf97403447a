import { expect, test } from "vitest";
import { formatDateLine, formatDate, formatDateTime } from "./date";

test("an instant is shown on the local day of the zone", () => {
  const instant = new Date("2026-12-31T23:30:00Z");
  expect(formatDate(instant, "Europe/London")).toBe("31.12.2026");
  expect(formatDate(instant, "Europe/Berlin")).toBe("01.01.2027");
  expect(formatDateTime(instant, "Europe/Berlin")).toBe("01.01.2027 00:30");
  expect(formatDateTime(instant, "America/Santiago")).toBe("31.12.2026 20:30");
});

test("the date line has its four parts", () => {
  expect(formatDateLine(new Date("2026-11-21T12:00:00Z"), "UTC")).toBe(
    "21 November 2026, Saturday",
  );
  expect(formatDateLine(new Date("2026-11-01T12:00:00Z"), "UTC")).toMatch(/^1 November/);
});
