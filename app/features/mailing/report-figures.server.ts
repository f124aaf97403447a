/** The figures of a report by mail. */
import type { Knex } from "knex";
import { one } from "../../db/connection.server";
import { siteTimeZone, startOfDaySql } from "../../db/site.server";
import { formatCents } from "../../format/money";
import { formatNumber } from "../../format/number";
import type { TemplateData } from "../mail/templates";
import { readActivityDays, sumActivity, type Activity } from "../reports/activity.server";
import type { Span } from "../reports/spans.server";
import { withSnapshot } from "../reports/summary.server";
import { refusalMessage, refusalReasons } from "../redemptions/refusal-reason";
import { paths } from "../../paths";
import { describeDays, frequencyLabels, type Frequency } from "./mailing";

const units: Record<Frequency, string> = { daily: "day", weekly: "week", monthly: "month" };

/**
 * Reads the report of the last whole day, week or month, compared with as many days before it.
 * @param now replaces the database's clock, in tests
 */
export function readReport(
  frequency: Frequency,
  now: Date | null = null,
): Promise<Omit<TemplateData["report"], "reason">> {
  return withSnapshot(async (snapshot) => {
    const [span, spanBefore] = [
      await readSpan(snapshot.trx, frequency, 0, now),
      await readSpan(snapshot.trx, frequency, 1, now),
    ];
    const current = sumActivity(await readActivityDays(snapshot, span));
    const before = sumActivity(await readActivityDays(snapshot, spanBefore));
    return {
      title: `${frequencyLabels[frequency]} report`,
      period: describeDays(span),
      tables: [figuresTable(current, before), ...refusalsTable(current, before)],
      notes: [`Before: ${describeDays(spanBefore)}.`],
      path: paths.reportOf(span.firstDay, span.lastDay),
    };
  });
}

type DaySpan = Span & { lastDay: string };

/** @param ago 0 for the last whole day, week or month, 1 for as many days before it */
async function readSpan(
  trx: Knex.Transaction,
  frequency: Frequency,
  ago: number,
  now: Date | null,
): Promise<DaySpan> {
  const unit = units[frequency];
  const span = await one<Omit<DaySpan, "endOfDays">>(
    trx,
    `with local as (
       select date_trunc('${unit}',
         coalesce(cast(:now as timestamptz), now()) at time zone :timeZone) as unit_begins
     ), last_unit as (
       select (unit_begins - interval '1 ${unit}')::date as first_day, unit_begins::date as end_day
       from local
     ), days as (
       select first_day - ${ago} * (end_day - first_day) as first_day,
         end_day - ${ago} * (end_day - first_day) as end_day
       from last_unit
     )
     select ${startOfDaySql("first_day")} as "from", ${startOfDaySql("end_day")} as "to",
       to_char(first_day, 'YYYY-MM-DD') as first_day, to_char(end_day, 'YYYY-MM-DD') as end_day,
       to_char(end_day - 1, 'YYYY-MM-DD') as last_day
     from days`,
    { now, timeZone: siteTimeZone() },
  );
  return { ...span!, endOfDays: span!.to };
}

const headings = ["", "In this report", "Before"];

function figuresTable(current: Activity, before: Activity) {
  const row = (name: string, format: (value: number) => string, of: (sum: Activity) => number) => [
    name,
    format(of(current)),
    format(of(before)),
  ];
  return {
    title: "What happened",
    headings,
    rows: [
      row("Redemptions", formatNumber, ({ drinks, percentages }) => drinks + percentages),
      row("Free drinks", formatNumber, ({ drinks }) => drinks),
      row("Percentage discounts", formatNumber, ({ percentages }) => percentages),
      row(
        "Discounts given",
        formatCents,
        ({ drinkDiscount, percentageDiscount }) => drinkDiscount + percentageDiscount,
      ),
      row("Value of free drinks", formatCents, ({ drinkDiscount }) => drinkDiscount),
      row("Refused attempts", formatNumber, refusedOf),
    ],
  };
}

function refusedOf({ refused }: Activity): number {
  return refusalReasons.reduce((sum, reason) => sum + refused[reason], 0);
}

/** Lists the reasons that occurred; no table without any. */
function refusalsTable(current: Activity, before: Activity) {
  const reasons = refusalReasons.filter(
    (reason) => current.refused[reason] + before.refused[reason] > 0,
  );
  if (reasons.length === 0) return [];
  return [
    {
      title: "Refused attempts",
      headings,
      rows: reasons.map((reason) => [
        refusalMessage(reason),
        formatNumber(current.refused[reason]),
        formatNumber(before.refused[reason]),
      ]),
    },
  ];
}
