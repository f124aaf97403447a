import { db, one } from "./connection.server";

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

/**
 * Selects the first instant of a day in `:timeZone` (RULES T2). If the clock goes back over midnight
 * there are two midnights, of which PostgreSQL returns the second; the day begins at the first.
 * @param day an expression of type date
 */
export function startOfDaySql(day: string): string {
  return `(select
    case when ((midnight - interval '1 hour') at time zone :timeZone)::date > (${day}) - 1
      then midnight - interval '1 hour' else midnight end
    from (select (${day})::timestamp at time zone :timeZone as midnight) day_begins)`;
}
