/** Stretches of time that figures are counted in, in site-local days. The database's clock decides (RULES T1). */
import type { Knex } from "knex";
import { query, type Database } from "../../db/connection.server";
import { nowSql, siteTimeZone, startOfDaySql } from "../../db/site.server";
import { startOfWeekSql } from "../settings/settings.server";
import type { Period } from "./period";

/** From the beginning of a site-local day to an instant, which is excluded. Days are YYYY-MM-DD. */
export type Span = {
  from: Date;
  to: Date;
  firstDay: string;
  /** The last day of which a part is in the span. */
  lastDay: string;
  /** The day after the last one that is in the span as a whole. */
  endDay: string;
  /** The beginning of `endDay`; before `to` if a part of that day is in the span. */
  endOfDays: Date;
};

export type Spans = { current: Span; previous: Span };

export type CalendarUnit = "day" | "week" | "month" | "year";

const units: Record<Period, CalendarUnit> = {
  today: "day",
  week: "week",
  month: "month",
  year: "year",
};

/**
 * Selects the first day of the unit that a day belongs to.
 * @param time an expression of type date or timestamp
 */
export function firstDaySql(unit: CalendarUnit, time: string): string {
  return unit === "week" ? startOfWeekSql(time) : `date_trunc('${unit}', ${time})::date`;
}

export type PeriodSpans = {
  now: Date;
  today: string;
  /** All of its days, including what is still to come. */
  current: Span;
  previous: Span;
};

/** The days of a span and of the one that it is compared with, as SQL. */
type SpanDays = {
  /** Reads `local_time` and `today`. */
  firstDay: string;
  /** The day after the last one; reads `local_time` and `today`. */
  endDay: string;
  /** Reads `first_day` and `end_day` besides. By default the previous span is empty. */
  previousDay?: string;
  /** The local time at which the previous span ends, at most the first day; reads `previous_day` besides. */
  previousEnd?: string;
};

/**
 * Selects the local time until which a span is compared of which only a part has passed: as much of the one before, at
 * most all of it, since months differ in length. Of a year it is the same day, also beside a leap day.
 * @param unit an interval that the span begins; null for days of another kind
 */
export const partPassedSql = (
  unit: string,
) => `case when ${unit} = interval '1 year' then local_time - ${unit}
  else least(previous_day + (local_time - first_day), first_day) end`;

/**
 * Returns the current period and the part of the one before that has passed of the current one, by the clock on the
 * wall.
 * @param now replaces the database's clock, in tests
 */
export function readPeriod(
  trx: Knex.Transaction,
  period: Period,
  now: Date | null = null,
): Promise<PeriodSpans> {
  const unit = units[period];
  const firstDay = firstDaySql(unit, "local_time");
  const days = {
    firstDay,
    endDay: `(${firstDay} + interval '1 ${unit}')::date`,
    previousDay: `(first_day - interval '1 ${unit}')::date`,
    previousEnd: partPassedSql(`interval '1 ${unit}'`),
  };
  return readSpans(trx, days, { now });
}

export async function readSpans(
  database: Database,
  { firstDay, endDay, previousDay = "first_day", previousEnd = "first_day" }: SpanDays,
  bindings: { now: Date | null } & Record<string, unknown>,
): Promise<PeriodSpans> {
  const rows = await query<Span & { now: Date; today: string }>(
    database,
    `with clock as materialized (
       select at, at at time zone :timeZone as local_time, (at at time zone :timeZone)::date as today
       from (select ${nowSql} as at) instant
     ), days as materialized (
       select *, ${firstDay} as first_day, ${endDay} as end_day from clock
     ), before as materialized (
       select *, ${previousDay} as previous_day from days
     ), compared as materialized (
       select *, cast(${previousEnd} as timestamp) as previous_end from before
     ), instants as materialized (
       select *, ${startOfDaySql("first_day")} as current_from, ${startOfDaySql("end_day")} as current_to,
         ${startOfDaySql("previous_day")} as previous_from,
         ${startOfDaySql("previous_end::date")} as previous_end_of_days
       from compared
     )
     select at as now, ${dateSql("today")} as today, "from", "to", ${dateSql("first")} as first_day,
       ${dateSql("last")} as last_day, ${dateSql("after_last")} as end_day, end_of_days
     from instants cross join lateral (values
       (1, current_from, current_to, first_day, end_day - 1, end_day, current_to),
       (2, previous_from, least(greatest(previous_end at time zone :timeZone, previous_end_of_days), current_from),
         previous_day, (previous_end - interval '1 microsecond')::date, previous_end::date, previous_end_of_days)
     ) span (place, "from", "to", first, last, after_last, end_of_days)
     order by place`,
    { timeZone: siteTimeZone(), ...bindings },
    { isPrepared: true },
  );
  const { now, today } = rows[0]!;
  const [current, previous] = rows.map(({ now: _now, today: _today, ...span }): Span => span);
  return { now, today, current: current!, previous: previous! };
}

const dateSql = (expression: string) => `to_char(${expression}, 'YYYY-MM-DD')`;

/** Spans that a statement compares, as `:currentFrom`, `:currentTo`, `:previousFrom` and `:previousTo`. */
export function bindSpans({ current, previous }: Spans) {
  return {
    currentFrom: current.from,
    currentTo: current.to,
    previousFrom: previous.from,
    previousTo: previous.to,
  };
}
