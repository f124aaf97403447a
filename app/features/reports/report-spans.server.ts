import type { Knex } from "knex";
import { one } from "../../db/connection.server";
import { siteTimeZone, startOfDaySql } from "../../db/site.server";
import type { ReportFilters, ReportPeriod } from "./report-filters";
import type { Span } from "./spans.server";

/** Site-local days. */
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

export type ReportSpans = {
  /** YYYY-MM-DD */
  today: string;
  current: ReportSpan;
  /** Ends at the present time of its last day if the current one ends today. */
  previous: ReportSpan;
};

const firstDays: Record<ReportPeriod, string> = {
  "7d": "today - 6",
  "30d": "today - 29",
  month: "date_trunc('month', today)::date",
  "last-month": "(date_trunc('month', today) - interval '1 month')::date",
  year: "date_trunc('year', today)::date",
};

/** The month or the year that a span begins, as an interval; null for days of another kind. */
const units: Record<ReportPeriod, string> = {
  "7d": "cast(null as interval)",
  "30d": "cast(null as interval)",
  month: "interval '1 month'",
  "last-month": "interval '1 month'",
  year: "interval '1 year'",
};
const unitOfDates = `case when first = date_trunc('month', last)::date then interval '1 month'
  when first = date_trunc('year', last)::date then interval '1 year' end`;

/** Two dates win over a quick choice; one of them alone begins or ends with today or its month. */
function daysSql({ period, from, to }: Pick<ReportFilters, "period" | "from" | "to">) {
  if (from || to)
    return {
      first: from ? "cast(:from as date)" : "date_trunc('month', cast(:to as date))::date",
      last: to ? "cast(:to as date)" : "greatest(today, cast(:from as date))",
      unit: unitOfDates,
    };
  const chosen = period ?? "month";
  const last = chosen === "last-month" ? "(date_trunc('month', today)::date - 1)" : "today";
  return { first: firstDays[chosen], last, unit: units[chosen] };
}

/** The first and the last day of each span (RULES D7). */
const spanDays = {
  current: { first: "first", last: "last" },
  previous: {
    first: "before",
    last: `case when last + 1 = (first + unit)::date and last < today then first - 1
      else least(before + (last - first), first - 1) end`,
  },
};

/** The moment of the latest event; null before the first one. */
const lastEventSql = `greatest((select max(created_at) from transactions),
  (select max(created_at) from redemption_attempts where outcome <> 'accepted'))`;

/** @param now replaces the database's clock, in tests */
export async function readReportSpans(
  trx: Knex.Transaction,
  filters: Pick<ReportFilters, "period" | "from" | "to">,
  now: Date | null = null,
): Promise<ReportSpans> {
  const { first, last, unit } = daysSql(filters);
  const read = async (name: keyof typeof spanDays) =>
    (await one<ReportSpan & { today: string }>(
      trx,
      `with clock as (
         select local_time, local_time::date as today
         from (select coalesce(cast(:now as timestamptz), now()) at time zone :timeZone as local_time) moment
       ), chosen as (
         select *, ${first} as first, ${last} as last from clock
       ), compared as (
         select *, coalesce((first - unit)::date, first - (last - first + 1)) as before
         from (select *, ${unit} as unit from chosen) chosen
       ), days as (
         select *, ${spanDays[name].first} as first_day, ${spanDays[name].last} as last_day from compared
       ), whole as (
         select *, last_day + 1 as end_day, ${startOfDaySql("first_day")} as "from",
           ${startOfDaySql("last_day")} as last_from, ${startOfDaySql("last_day + 1")} as whole_to
         from days
       ), instants as (
         select *, case when ${name === "previous"} and last = today
           then least(greatest((before + (local_time - first)) at time zone :timeZone, last_from), whole_to)
           else whole_to end as "to"
         from whole
       ), months as (
         select *, (date_trunc('month', first_day - 1) + interval '1 month')::date as first_month,
           (date_trunc('month', end_day)
             + case when has_later then interval '0' else interval '1 month' end)::date as end_month,
           (date_trunc('year', first_day - 1) + interval '1 year')::date as first_year,
           (date_trunc('year', end_day)
             + case when has_later then interval '0' else interval '1 year' end)::date as end_year
         from instants cross join lateral (select coalesce(${lastEventSql} >= "to", false) as has_later) events
       )
       select to_char(today, 'YYYY-MM-DD') as today, to_char(first_day, 'YYYY-MM-DD') as first_day,
         to_char(last_day, 'YYYY-MM-DD') as last_day, "from", "to",
         to_char(case when "to" < whole_to then last_day else end_day end, 'YYYY-MM-DD') as end_day,
         case when "to" < whole_to then last_from else "to" end as end_of_days,
         to_char(first_month, 'YYYY-MM-DD') as first_month, to_char(end_month, 'YYYY-MM-DD') as end_month,
         to_char(first_year, 'YYYY-MM-DD') as first_year, to_char(end_year, 'YYYY-MM-DD') as end_year,
         case when first_month < end_month then ${startOfDaySql("first_month")} else "to" end as months_from,
         case when first_month < end_month then least(${startOfDaySql("end_month")}, "to") else "to" end as months_to
       from months`,
      { now, timeZone: siteTimeZone(), from: filters.from, to: filters.to },
    ))!;
  const { today, ...current } = await read("current");
  return { today, current, previous: await read("previous") };
}
