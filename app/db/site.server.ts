import { db } from "./connection.server";

let timeZone: string | undefined;

/** Reads what was decided once for the installation. Called at start, when the schema is current. */
export async function loadSite(): Promise<void> {
  const row = await db()("site_settings").first<{ time_zone: string }>("time_zone");
  if (!row) throw new Error("site_settings is empty");
  timeZone = row.time_zone;
}

/** The IANA zone that days, months and expirations are counted in (rulings 3.9). */
export function siteTimeZone(): string {
  if (timeZone === undefined) throw new Error("The site's settings are not loaded yet");
  return timeZone;
}
