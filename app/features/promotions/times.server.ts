/** The start, the hours and the end of a campaign on their way to its row, in days and times of the site. */
import { instantSql, siteTimeZone, startOfDaySql } from "../../db/site.server";
import {
  type CampaignTimes,
  describeHours,
  formatLocalTime,
  normalizeSchedule,
  noTimes,
  toOpenMinutes,
} from "./schedule";
import type { Knex } from "knex";
import { one, readValue } from "../../db/connection.server";
import { invalidFields } from "../../errors";

/** Columns of both tables, and their values in a statement that has `timesBindings`. */
export const timesColumns = "starts_at, open_minutes, closed_on";
export const startSql = instantSql("cast(:startsAt as timestamp)");
export const timesValues = `${startSql}, cast(:openMinutes as int4multirange), cast(:closedOn as date[])`;

export function timesBindings({ startsAt, schedule }: CampaignTimes) {
  const except = normalizeSchedule(schedule)?.except ?? [];
  return {
    startsAt,
    openMinutes: toOpenMinutes(schedule?.hours ?? []),
    closedOn: except.length > 0 ? `{${except.join()}}` : null,
    timeZone: siteTimeZone(),
  };
}

/**
 * Returns a start as it will be read from the database: one in an hour that the clock skips is later.
 * @param startsAt YYYY-MM-DDTHH:MM in the site's zone
 */
export async function toStoredStart(
  trx: Knex.Transaction,
  startsAt: string | null,
): Promise<string | null> {
  if (startsAt === null) return null;
  const sql = `select to_char(${startSql} at time zone :timeZone, 'YYYY-MM-DD"T"HH24:MI')`;
  return readValue(trx, sql, { startsAt, timeZone: siteTimeZone() });
}

/**
 * Returns what differs between two starts and schedules, as the audit log has it.
 * @param existing null where campaigns have several: then all that is set is listed
 */
export function timesChanges(existing: CampaignTimes | null, times: Partial<CampaignTimes>) {
  const [before, after] = [{}, times].map((changed) => {
    const { startsAt, schedule } = { ...noTimes, ...existing, ...changed };
    const normalized = normalizeSchedule(schedule);
    return {
      starts_at: startsAt && formatLocalTime(startsAt),
      hours: describeHours(normalized),
      not_on: normalized?.except ?? [],
    };
  });
  const isSet = (name: string) => (name === "starts_at" ? "startsAt" : "schedule") in times;
  const names = Object.keys(before!) as (keyof NonNullable<typeof before>)[];
  return Object.fromEntries(
    names
      .filter((name) => (existing ? String(before![name]) !== String(after![name]) : isSet(name)))
      .map((name) => [name, { from: before![name], to: after![name] }]),
  );
}

/**
 * @param startsAt YYYY-MM-DDTHH:MM in the site's zone; null has begun
 * @param expirationDate the last valid day, YYYY-MM-DD
 * @throws DomainError invalid: the day of the start has passed by the database's clock, or is after the last valid one
 */
export async function rejectWrongStart(
  trx: Knex.Transaction,
  { startsAt, expirationDate }: { startsAt: string | null; expirationDate: string | null },
): Promise<void> {
  if (startsAt === null) return;
  const day = startsAt.slice(0, 10);
  if (await hasPassed(trx, day)) throw invalidFields({ starts_at: "Start cannot be in the past" });
  if (expirationDate !== null && day > expirationDate)
    throw invalidFields({ starts_at: "The start cannot be after the expiration" });
}

/** The first instant after the day `:lastDay`; null of null. */
export const endOfDaySql = startOfDaySql("cast(:lastDay as date) + 1");

/** Whether a day, YYYY-MM-DD, has passed by the database's clock. */
async function hasPassed(trx: Knex.Transaction, day: string): Promise<boolean> {
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
