import type { Knex } from "knex";
import { one } from "../../db/connection.server";
import { siteTimeZone, startOfDaySql } from "../../db/site.server";
import type { ReportFilters, ReportPeriod } from "./report-filters";
import type { Span } from "./spans.server";

/** Whole site-local days. */
export type ReportSpan = Span & {
  /** The last day, which is in the span. */
  lastDay: string;
  /**
   * The calendar months whose events are in the span as a whole, as the first days of the first and of the one after.
   * The month at its end is one of them if nothing has happened after the span.
   */
  firstMonth: string;
  endMonth: string;
  /** The calendar years that are in the span as a whole, in the same sense; none if the first is not before the end. */
  firstYear: string;
  endYear: string;
  /** The instants at which these months begin and end. Without any, all of the span lies before them. */
  monthsFrom: Date;
  monthsTo: Date;
};

export type ReportSpans = { current: ReportSpan; previous: ReportSpan };

const firstDays: Record<ReportPeriod, string> = {
  "7d": "today - 6",
  "30d": "today - 29",
  month: "date_trunc('month', today)::date",
  "last-month": "(date_trunc('month', today) - interval '1 month')::date",
  year: "date_trunc('year', today)::date",
};

/** The first day of what a span is compared with: as many days just before, or the month or year before (RULES D7). */
const daysBefore = "(first - (last - first + 1))";
const firstDaysBefore: Record<ReportPeriod, string> = {
  "7d": daysBefore,
  "30d": daysBefore,
  month: "(first - interval '1 month')::date",
  "last-month": "(first - interval '1 month')::date",
  year: "(first - interval '1 year')::date",
};

/** Two dates win over a quick choice; one of them alone begins or ends with today or its month. */
function daysSql({ period, from, to }: Pick<ReportFilters, "period" | "from" | "to">) {
  if (from || to)
    return {
      first: from ? "cast(:from as date)" : "date_trunc('month', cast(:to as date))::date",
      last: to ? "cast(:to as date)" : "greatest(today, cast(:from as date))",
      before: daysBefore,
    };
  const chosen = period ?? "month";
  const last = chosen === "last-month" ? "(date_trunc('month', today)::date - 1)" : "today";
  return { first: firstDays[chosen], last, before: firstDaysBefore[chosen] };
}

/** The moment of the latest event; null before the first one. */
const lastEventSql = `greatest((select max(created_at) from transactions),
  (select max(created_at) from redemption_attempts where outcome <> 'accepted'))`;

/** @param now replaces the database's clock, in tests */
export async function readReportSpans(
  trx: Knex.Transaction,
  filters: Pick<ReportFilters, "period" | "from" | "to">,
  now: Date | null = null,
): Promise<ReportSpans> {
  const { first, last, before } = daysSql(filters);
  const read = async (firstDay: string, lastDay: string): Promise<ReportSpan> =>
    (await one<ReportSpan>(
      trx,
      `with clock as (
         select (coalesce(cast(:now as timestamptz), now()) at time zone :timeZone)::date as today
       ), chosen as (
         select ${first} as first, ${last} as last from clock
       ), days as (
         select ${firstDay} as first_day, ${lastDay} as last_day, ${lastDay} + 1 as end_day from chosen
       ), instants as (
         select *, ${startOfDaySql("first_day")} as "from", ${startOfDaySql("end_day")} as "to" from days
       ), months as (
         select *, (date_trunc('month', first_day - 1) + interval '1 month')::date as first_month,
           (date_trunc('month', end_day)
             + case when has_later then interval '0' else interval '1 month' end)::date as end_month,
           (date_trunc('year', first_day - 1) + interval '1 year')::date as first_year,
           (date_trunc('year', end_day)
             + case when has_later then interval '0' else interval '1 year' end)::date as end_year
         from instants cross join lateral (select coalesce(${lastEventSql} >= "to", false) as has_later) events
       )
       select to_char(first_day, 'YYYY-MM-DD') as first_day, to_char(last_day, 'YYYY-MM-DD') as last_day,
         to_char(end_day, 'YYYY-MM-DD') as end_day, "from", "to", "to" as end_of_days,
         to_char(first_month, 'YYYY-MM-DD') as first_month, to_char(end_month, 'YYYY-MM-DD') as end_month,
         to_char(first_year, 'YYYY-MM-DD') as first_year, to_char(end_year, 'YYYY-MM-DD') as end_year,
         case when first_month < end_month then ${startOfDaySql("first_month")} else "to" end as months_from,
         case when first_month < end_month then least(${startOfDaySql("end_month")}, "to") else "to" end as months_to
       from months`,
      { now, timeZone: siteTimeZone(), from: filters.from, to: filters.to },
    ))!;
  return {
    current: await read("first", "last"),
    previous: await read(before, `least(${before} + (last - first), first - 1)`),
  };
}
