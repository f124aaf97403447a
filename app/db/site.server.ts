import { db } from "./connection.server";

let timeZone: string | undefined;

/** Reads what was decided once for the installation. Called at start, when the schema is current. */
export async function loadSite(): Promise<void> {
  const row = await db()("site_settings").first<{ time_zone: string }>("time_zone");
  if (!row) throw new Error("site_settings is empty");
  timeZone = row.time_zone;
}

/** The IANA zone that days, months and expirations are counted in (RULES T2). */
export function siteTimeZone(): string {
  if (timeZone === undefined) throw new Error("The site's settings are not loaded yet");
  return timeZone;
}

/**
 * The first instant of the day `day` in `:timeZone` (RULES T2). Where the clock goes back over
 * midnight there are two midnights and PostgreSQL means the second; the day begins at the first.
 * @param day an expression of type date
 */
export function startOfDaySql(day: string): string {
  return `(select
    case when ((midnight - interval '1 hour') at time zone :timeZone)::date > (${day}) - 1
      then midnight - interval '1 hour' else midnight end
    from (select (${day})::timestamp at time zone :timeZone as midnight) day_begins)`;
}
