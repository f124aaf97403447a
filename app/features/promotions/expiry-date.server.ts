/** Days on which campaigns end, in the site's zone, by the database's clock. */
import type { Knex } from "knex";
import { one } from "../../db/connection.server";
import { siteTimeZone, startOfDaySql } from "../../db/site.server";
import { invalidFields } from "../../errors";

/** The first instant after the day `:lastDay`; null of null. */
export const endOfDaySql = startOfDaySql("cast(:lastDay as date) + 1");

/** Whether a day, YYYY-MM-DD, has passed by the database's clock. */
export async function hasPassed(trx: Knex.Transaction, day: string): Promise<boolean> {
  const row = await one<{ hasPassed: boolean }>(
    trx,
    // knex would take "::date" for a colon and the binding.
    "select cast(:day as date) < cast(now() at time zone :timeZone as date) as has_passed",
    { day, timeZone: siteTimeZone() },
  );
  return row!.hasPassed;
}

/**
 * @param date YYYY-MM-DD; null never ends
 * @throws DomainError invalid, when the day has passed by the database's clock
 */
export async function rejectPastDate(trx: Knex.Transaction, date: string | null): Promise<void> {
  if (date !== null && (await hasPassed(trx, date)))
    throw invalidFields({ expiration_date: "Date cannot be in the past" });
}
