/** Days of the site's zone, worked out by PostgreSQL: one table of time zones decides. */
import type { Knex } from "knex";
import { db } from "../../db/connection.server";
import { siteTimeZone, startOfDaySql } from "../../db/site.server";
import { DomainError } from "../../errors";

/** The first instant after the day `:lastDay`. */
export const endOfDaySql = startOfDaySql("cast(:lastDay as date) + 1");

/** YYYY-MM-DD in the site's zone by the database's clock. */
export async function siteToday(): Promise<string> {
  const { rows } = await db().raw<{ rows: { today: string }[] }>(
    "select to_char(now() at time zone :timeZone, 'YYYY-MM-DD') as today",
    { timeZone: siteTimeZone() },
  );
  return rows[0]!.today;
}

/**
 * @param date YYYY-MM-DD; null never ends
 * @throws DomainError invalid, when the day has passed by the database's clock
 */
export async function refusePastDate(trx: Knex.Transaction, date: string | null): Promise<void> {
  if (date === null) return;
  const { rows } = await trx.raw<{ rows: { has_passed: boolean }[] }>(
    "select cast(:lastDay as date) < (now() at time zone :timeZone)::date as has_passed",
    { lastDay: date, timeZone: siteTimeZone() },
  );
  if (!rows[0]!.has_passed) return;
  const sentence = "Date cannot be in the past";
  throw new DomainError("invalid", sentence, { expiration_date: sentence });
}
