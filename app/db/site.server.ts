import { db, one, readValue } from "./connection.server";

let timeZone: string | undefined;

/** Loads the settings of the installation. Called at start, when the schema is current. */
export async function loadSite(): Promise<void> {
  const settings = await one<{ timeZone: string }>(db(), "select time_zone from site_settings");
  if (!settings) throw new Error("site_settings is empty");
  ({ timeZone } = settings);
}

/** Returns the IANA zone in which days, months and expirations are counted (RULES T2). */
export function siteTimeZone(): string {
  if (timeZone === undefined) throw new Error("The site's settings are not loaded yet");
  return timeZone;
}

/** Reads when the last whole backup was made; null if none was. `days` are whole ones since then. */
export async function readLastBackup(): Promise<{ backedUpAt: Date; days: number } | null> {
  return one(
    db(),
    `select backed_up_at, floor(extract(epoch from now() - backed_up_at) / 86400)::integer as days
     from site_settings where backed_up_at is not null`,
  );
}

/** Selects `:now`, or the present by the database's clock if that is null. */
export const nowSql = "coalesce(cast(:now as timestamptz), now())";

/**
 * Selects the instant of a local time in `:timeZone`. If the clock goes back over it there are two, of which PostgreSQL
 * returns the second; this is the first, which has the offset of some hours before. A time that the clock skips is as
 * much later as the clock goes forward.
 * @param local an expression of type timestamp; null of null
 */
export function instantSql(local: string): string {
  const earlierBy = "interval '12 hours'";
  return `(select case when first at time zone :timeZone = local_time then first else instant end
    from (select local_time, instant,
        instant - ${earlierBy} + (local_time - (instant - ${earlierBy}) at time zone :timeZone) as first
      from (select local_time, local_time at time zone :timeZone as instant
        from (select ${local} as local_time) site_time) last_instant) instants)`;
}

/** Selects the first instant of a day in `:timeZone` (RULES T2). @param day an expression of type date */
export function startOfDaySql(day: string): string {
  return instantSql(`(${day})::timestamp`);
}

/** Writes whether an instant is on a day of the site or later. @param day the name of the binding of the day */
export function isSinceDaySql(instant: string, day: string): string {
  return `${instant} >= ${startOfDaySql(`cast(:${day} as date)`)}`;
}

/** Writes whether an instant is on a day of the site or earlier. @param day the name of the binding of the day */
export function isUntilDaySql(instant: string, day: string): string {
  return `${instant} < ${startOfDaySql(`cast(:${day} as date) + 1`)}`;
}

/** Returns the first instant of a day in the site's zone. @param day YYYY-MM-DD */
export function startOfSiteDay(day: string): Promise<Date> {
  const sql = `select ${startOfDaySql("cast(:day as date)")}`;
  return readValue(db(), sql, { day, timeZone: siteTimeZone() });
}

/** Returns the hour of the day in the site's zone, by the database's clock. */
export function siteHour(): Promise<number> {
  const sql = "select extract(hour from now() at time zone :timeZone)::integer";
  return readValue(db(), sql, { timeZone: siteTimeZone() });
}

/** Returns today in the site's zone as YYYY-MM-DD, by the database's clock. */
export function siteToday(): Promise<string> {
  const sql = "select to_char(now() at time zone :timeZone, 'YYYY-MM-DD')";
  return readValue(db(), sql, { timeZone: siteTimeZone() });
}
