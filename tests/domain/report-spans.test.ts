import { beforeEach, expect, test } from "vitest";
import { db } from "../../app/db/connection.server";
import { loadSite } from "../../app/db/site.server";
import type { ReportPeriod } from "../../app/features/reports/report-filters";
import { readPeriod } from "../../app/features/reports/spans.server";
import { readReportSpans } from "../../app/features/reports/report-spans.server";
import { useDatabase } from "../support/postgres";

useDatabase();

beforeEach(loadSite);

const read = (
  filters: { period?: ReportPeriod; from?: string; to?: string },
  today = "2026-11-22",
) =>
  db().transaction(async (trx) => {
    const all = { period: null, from: null, to: null, ...filters };
    const { current, previous } = await readReportSpans(trx, all, new Date(`${today}T12:00:00Z`));
    expect(previous.from <= previous.endOfDays && previous.endOfDays <= previous.to).toBe(true);
    return [current, previous].map(({ firstDay, lastDay }) => `${firstDay}/${lastDay}`);
  });

test.each([
  ["yesterday", "2026-11-21/2026-11-21", "2026-11-20/2026-11-20"],
  // The 22nd is a Sunday.
  ["last-week", "2026-11-09/2026-11-15", "2026-11-02/2026-11-08"],
  ["7d", "2026-11-16/2026-11-22", "2026-11-09/2026-11-15"],
  ["30d", "2026-10-24/2026-11-22", "2026-09-24/2026-10-23"],
  ["month", "2026-11-01/2026-11-22", "2026-10-01/2026-10-22"],
  ["last-month", "2026-10-01/2026-10-31", "2026-09-01/2026-09-30"],
  ["year", "2026-01-01/2026-11-22", "2025-01-01/2025-11-22"],
  // All of a month is compared with all of a shorter or a longer one.
  ["month", "2026-03-01/2026-03-31", "2026-02-01/2026-02-28", "2026-03-31"],
  ["last-month", "2026-11-01/2026-11-30", "2026-10-01/2026-10-31", "2026-12-03"],
] as const)(
  "compares the choice %s, %s, with %s as the dashboard does",
  async (period, current, previous, today?) => {
    expect(await read({ period }, today)).toEqual([current, previous]);
  },
);

test.each([
  ["2026-11-05", "2026-11-14", "2026-10-26/2026-11-04"],
  ["2026-06-01", "2026-06-30", "2026-05-01/2026-05-31"],
  ["2026-06-01", "2026-06-10", "2026-05-01/2026-05-10"],
  ["2025-01-01", "2025-12-31", "2024-01-01/2024-12-31"],
  ["2026-01-01", "2026-01-20", "2025-12-01/2025-12-20"],
  ["2026-01-01", "2026-03-31", "2025-01-01/2025-03-31"],
  ["2025-11-01", "2026-01-31", "2025-08-01/2025-10-31"],
  // Years with and without a leap day.
  ["2025-01-01", "2025-03-31", "2024-01-01/2024-03-31"],
  ["2024-01-01", "2024-06-30", "2023-01-01/2023-06-30"],
  ["2024-01-01", "2024-02-29", "2023-01-01/2023-02-28"],
])("compares %s to %s with %s", async (from, to, previous) => {
  expect(await read({ from, to })).toEqual([`${from}/${to}`, previous]);
});

test.each([
  ["2026-11-01", "2026-11-30", "2026-10-01/2026-10-22"],
  ["2026-01-01", "2026-12-31", "2025-01-01/2025-11-22"],
  ["2026-11-20", "2026-11-29", "2026-11-10/2026-11-12"],
  ["2026-11-22", "2026-11-23", "2026-11-20/2026-11-20"],
  ["2026-12-01", "2026-12-31", "2026-11-01/2026-11-30"],
])("compares what has passed of %s to %s with as much of %s", async (from, to, previous) => {
  expect(await read({ from, to })).toEqual([`${from}/${to}`, previous]);
});

test.each(["month", "year"] as const)(
  "compares this %s until the same instant as the dashboard",
  async (period) => {
    for (const timestamp of [
      "2026-11-22T12:00:00Z",
      "2026-03-31T21:30:00Z",
      "2024-02-29T05:00:00Z",
    ])
      await db().transaction(async (trx) => {
        const now = new Date(timestamp);
        const dates = { period, from: null, to: null };
        const { previous } = await readReportSpans(trx, dates, now);
        const dashboard = await readPeriod(trx, period, now);
        expect(previous).toMatchObject(dashboard.previous);
      });
  },
);

test.each([
  ["2028-03-15T12:00:00Z", "2027-03-15"],
  ["2028-02-29T12:00:00Z", "2027-02-28"],
  ["2029-03-15T12:00:00Z", "2028-03-15"],
])("compares the year until %s with the one before until the same day, %s", async (now, day) => {
  await db().transaction(async (trx) => {
    const { previous } = await readPeriod(trx, "year", new Date(now));
    expect(previous).toMatchObject({ lastDay: day, to: new Date(`${day}T12:00:00Z`) });
    const dates = { period: null, from: `${now.slice(0, 4)}-01-01`, to: now.slice(0, 10) };
    const report = await readReportSpans(trx, dates, new Date(now));
    expect(report.previous).toMatchObject(previous);
  });
});
