/** Days on which campaigns end, in the site's zone, by the database's clock. */
import type { Knex } from "knex";
import { one } from "../../db/connection.server";
import { siteTimeZone, startOfDaySql } from "../../db/site.server";
import { invalidFields } from "../../errors";

/** The first instant after the day `:lastDay`. */
export const endOfDaySql = startOfDaySql("cast(:lastDay as date) + 1");

/**
 * @param date YYYY-MM-DD; null never ends
 * @throws DomainError invalid, when the day has passed by the database's clock
 */
export async function rejectPastDate(trx: Knex.Transaction, date: string | null): Promise<void> {
  if (date === null) return;
  const row = await one<{ hasPassed: boolean }>(
    trx,
    // knex would take "::date" for a colon and the binding.
    "select cast(:date as date) < cast(now() at time zone :timeZone as date) as has_passed",
    { date, timeZone: siteTimeZone() },
  );
  if (row!.hasPassed) throw invalidFields({ expiration_date: "Date cannot be in the past" });
}
