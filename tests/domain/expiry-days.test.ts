import fc from "fast-check";
import { expect, test } from "vitest";
import { db } from "../../app/db/connection.server";
import { lastDay } from "../../app/features/promotions/expiry-date";
import { siteToday } from "../../app/db/site.server";
import { endOfDaySql } from "../../app/features/promotions/times.server";
import { useDatabase } from "../support/postgres";
import { repetitions } from "../support/repetitions";
import { property } from "../support/property";

useDatabase();

const zones = [
  "Europe/Berlin",
  "Europe/London",
  "America/Santiago",
  "Asia/Beirut",
  "Pacific/Apia",
  "America/Havana",
  "Atlantic/Azores",
  "Australia/Lord_Howe",
  "UTC",
];

async function endOfDay(day: string, timeZone: string): Promise<Date> {
  const { rows } = await db().raw<{ rows: { end: Date }[] }>(`select ${endOfDaySql} as end`, {
    lastDay: day,
    timeZone,
  });
  return rows[0]!.end;
}

const anyDay = fc
  .date({
    min: new Date("2012-01-01T00:00:00Z"),
    max: new Date("2037-12-31T00:00:00Z"),
    noInvalidDate: true,
  })
  .map((date) => date.toISOString().slice(0, 10));
/** Days that end while the clock changes in one of the zones. */
const unevenDays = ["2026-03-07", "2026-03-28", "2026-09-05", "2026-10-24", "2026-10-31"];

property([fc.constantFrom(...zones), fc.oneof(anyDay, fc.constantFrom(...unevenDays))], {
  numRuns: repetitions(200, 27_000),
})("the day shown is the day chosen, in any zone", async (timeZone, day) => {
  const end = await endOfDay(day, timeZone);
  expect(lastDay(end, timeZone)).toBe(day);
  // The very next moment is another day.
  expect(lastDay(new Date(end.getTime() + 1), timeZone) > day).toBe(true);
});

test("today is the day of the database's clock in the site's zone", async () => {
  const { rows } = await db().raw<{ rows: { at: Date }[] }>("select now() as at");
  const berlin = new Intl.DateTimeFormat("sv-SE", { timeZone: "Europe/Berlin" });
  expect(
    Math.abs(Date.parse(await siteToday()) - Date.parse(berlin.format(rows[0]!.at))),
  ).toBeLessThanOrEqual(86_400_000);
  expect(await siteToday()).toMatch(/^\d{4}-\d{2}-\d{2}$/);
});
