import type { Knex } from "knex";
import { one } from "../../db/connection.server";
import { siteTimeZone, startOfDaySql } from "../../db/site.server";
import type { ReportFilters, ReportPeriod } from "./report-filters";
import type { Span } from "./spans.server";

/** Whole site-local days, and as many days before them. */
export type ReportSpan = Span & {
  /** The last day, which is in the span. */
  lastDay: string;
  /** The calendar months that are in the span as a whole, as the first days of the first and of the one after. */
  firstMonth: string;
  endMonth: string;
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

/** Two dates win over a quick choice; one of them alone begins or ends with today or its month. */
function daysSql({ period, from, to }: Pick<ReportFilters, "period" | "from" | "to">) {
  if (from || to)
    return {
      first: from ? "cast(:from as date)" : "date_trunc('month', cast(:to as date))::date",
      last: to ? "cast(:to as date)" : "greatest(today, cast(:from as date))",
    };
  const chosen = period ?? "month";
  const last = chosen === "last-month" ? "(date_trunc('month', today)::date - 1)" : "today";
  return { first: firstDays[chosen], last };
}

/** @param now replaces the database's clock, in tests */
export async function readReportSpans(
  trx: Knex.Transaction,
  filters: Pick<ReportFilters, "period" | "from" | "to">,
  now: Date | null = null,
): Promise<ReportSpans> {
  const { first, last } = daysSql(filters);
  const spanSql = (firstDay: string, lastDay: string) => `
    select to_char(first_day, 'YYYY-MM-DD') as first_day, to_char(last_day, 'YYYY-MM-DD') as last_day,
      to_char(last_day + 1, 'YYYY-MM-DD') as end_day, ${startOfDaySql("first_day")} as "from",
      ${startOfDaySql("last_day + 1")} as "to", ${startOfDaySql("last_day + 1")} as end_of_days,
      to_char(first_month, 'YYYY-MM-DD') as first_month, to_char(end_month, 'YYYY-MM-DD') as end_month,
      case when first_month < end_month then ${startOfDaySql("first_month")}
        else ${startOfDaySql("last_day + 1")} end as months_from,
      case when first_month < end_month then ${startOfDaySql("end_month")}
        else ${startOfDaySql("last_day + 1")} end as months_to
    from (select *, (date_trunc('month', first_day - 1) + interval '1 month')::date as first_month,
        date_trunc('month', last_day + 1)::date as end_month
      from (select ${firstDay} as first_day, ${lastDay} as last_day from chosen) days) months`;
  const read = async (firstDay: string, lastDay: string): Promise<ReportSpan> =>
    (await one<ReportSpan>(
      trx,
      `with clock as (
         select (coalesce(cast(:now as timestamptz), now()) at time zone :timeZone)::date as today
       ), chosen as (select ${first} as first, ${last} as last from clock)
       ${spanSql(firstDay, lastDay)}`,
      { now, timeZone: siteTimeZone(), from: filters.from, to: filters.to },
    ))!;
  return {
    current: await read("first", "last"),
    previous: await read("first - (last - first + 1)", "first - 1"),
  };
}
