import type { Knex } from "knex";
import { query } from "../../db/connection.server";
import { siteTimeZone, startOfDaySql } from "../../db/site.server";
import { defaultPeriod, type ReportFilters, type ReportPeriod } from "./report-filters";
import { startOfWeekSql } from "../settings/settings.server";
import { partPassedSql, readSpans, type Span } from "./spans.server";

export type ReportSpan = Span & {
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

const firstDays: Record<ReportPeriod, () => string> = {
  yesterday: () => "today - 1",
  "last-week": () => `${startOfWeekSql("today")} - 7`,
  "7d": () => "today - 6",
  "30d": () => "today - 29",
  month: () => "date_trunc('month', today)::date",
  "last-month": () => "(date_trunc('month', today) - interval '1 month')::date",
  year: () => "date_trunc('year', today)::date",
};

/** The last days of periods that ended before today. */
const lastDays: Partial<Record<ReportPeriod, () => string>> = {
  yesterday: () => "today - 1",
  "last-week": () => `${startOfWeekSql("today")} - 1`,
  "last-month": () => "date_trunc('month', today)::date - 1",
};

/** The month or the year that a span begins, as an interval; null for days of another kind. */
const units: Partial<Record<ReportPeriod, string>> = {
  month: "interval '1 month'",
  "last-month": "interval '1 month'",
  year: "interval '1 year'",
};
const unitOfDates = `case when first_day = date_trunc('month', end_day - 1)::date then interval '1 month'
  when first_day = date_trunc('year', end_day - 1)::date then interval '1 year' end`;

/** Two dates win over a quick choice; one of them alone begins or ends with today or its month (RULES D7). */
function daysSql({ period, from, to }: Pick<ReportFilters, "period" | "from" | "to">) {
  const chosen = period ?? defaultPeriod;
  const { first, last, unit } =
    from || to
      ? {
          first: from ? "cast(:from as date)" : "date_trunc('month', cast(:to as date))::date",
          last: to ? "cast(:to as date)" : "greatest(today, cast(:from as date))",
          unit: unitOfDates,
        }
      : {
          first: firstDays[chosen](),
          last: `(${lastDays[chosen]?.() ?? "today"})`,
          unit: units[chosen] ?? "cast(null as interval)",
        };
  return {
    firstDay: first,
    endDay: `${last} + 1`,
    previousDay: `coalesce((first_day - ${unit})::date, first_day - (end_day - first_day))`,
    previousEnd: `case
      when end_day = (first_day + ${unit})::date and end_day <= today then first_day
      when first_day <= today and end_day > today then ${partPassedSql(unit)}
      else least(coalesce((end_day - 1 - ${unit})::date + 1, previous_day + (end_day - first_day)), first_day) end`,
  };
}

/** The moment of the latest event; null before the first one. */
const lastEventSql = `greatest((select max(created_at) from transactions),
  (select max(created_at) from redemption_attempts where outcome <> 'accepted'))`;

/**
 * Reads the span of a report, and the one that it is compared with: of this as much as has passed of the current one, if
 * that ends today or later.
 * @param now replaces the database's clock, in tests
 */
export async function readReportSpans(
  trx: Knex.Transaction,
  filters: Pick<ReportFilters, "period" | "from" | "to">,
  now: Date | null = null,
) {
  const { from, to } = filters;
  const {
    now: readAt,
    today,
    ...spans
  } = await readSpans(trx, daysSql(filters), { now, from, to });
  const both = [spans.current, spans.previous];
  const months = await query<Omit<ReportSpan, keyof Span>>(
    trx,
    `with spans as materialized (
       select *, last_day + 1 as end_day, coalesce(${lastEventSql} >= "to", false) as has_later
       from unnest(cast(:firstDays as date[]), cast(:lastDays as date[]), cast(:ends as timestamptz[]))
         with ordinality as given (first_day, last_day, "to", position)
     ), months as materialized (
       select *, (date_trunc('month', first_day - 1) + interval '1 month')::date as first_month,
         (date_trunc('month', end_day)
           + case when has_later then interval '0' else interval '1 month' end)::date as end_month,
         (date_trunc('year', first_day - 1) + interval '1 year')::date as first_year,
         (date_trunc('year', end_day)
           + case when has_later then interval '0' else interval '1 year' end)::date as end_year
       from spans
     )
     select to_char(first_month, 'YYYY-MM-DD') as first_month, to_char(end_month, 'YYYY-MM-DD') as end_month,
       to_char(first_year, 'YYYY-MM-DD') as first_year, to_char(end_year, 'YYYY-MM-DD') as end_year,
       case when first_month < end_month then ${startOfDaySql("first_month")} else "to" end as months_from,
       case when first_month < end_month then least(${startOfDaySql("end_month")}, "to") else "to" end as months_to
     from months order by position`,
    {
      timeZone: siteTimeZone(),
      firstDays: both.map(({ firstDay }) => firstDay),
      lastDays: both.map(({ lastDay }) => lastDay),
      ends: both.map((span) => span.to),
    },
    { isPrepared: true },
  );
  return {
    now: readAt,
    today,
    current: { ...spans.current, ...months[0]! } satisfies ReportSpan,
    previous: { ...spans.previous, ...months[1]! } satisfies ReportSpan,
  };
}
