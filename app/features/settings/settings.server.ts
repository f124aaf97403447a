/** The settings of the site in memory, which each instance reads again every 2 s (RULES N1). */
import type { Knex } from "knex";
import { db, one, query, type Database } from "../../db/connection.server";
import { siteTimeZone } from "../../db/site.server";
import { environment } from "../../env.server";
import type { SiteFormat } from "../../format/site";
import { settingNames, settingRow, type SettingName, type Settings } from "./setting";

export type Logo = { digest: string; name: string; width: number; height: number };

/** Stored values; null is a setting that nobody saved. */
type StoredSettings = { [Name in SettingName]: Settings[Name] | null } & {
  logo: Logo | null;
  version: number;
};

export const columnOf = (name: SettingName) =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const columnsSql = settingNames.map((name) => `s.${columnOf(name)}`).join(", ");

export async function readStoredSettings(database: Database = db()): Promise<StoredSettings> {
  const row = await one<StoredSettings>(
    database,
    `select ${columnsSql}, s.version, case when l.digest is not null then json_build_object(
       'digest', l.digest, 'name', l.name, 'width', l.width, 'height', l.height) end as logo
     from site_settings s left join site_logo l on true`,
  );
  return row!;
}

/** Lets the settings change, and another limit be asked for, one at a time. */
export async function lockSettings(trx: Knex): Promise<void> {
  await query(trx, "select from site_settings for update");
}

/** Settings that the environment decides, with their values. */
export function fixedSettings(): Partial<Settings> {
  const variables = environment() as Partial<Record<SettingName, unknown>>;
  const fixed = settingNames.filter(
    (name) => settingRow(name).variable && variables[name] !== null,
  );
  return Object.fromEntries(fixed.map((name) => [name, variables[name]]));
}

/** Returns the values that count: of the environment, else as stored, else the initial ones. */
export function effectiveSettings(stored: Partial<StoredSettings>): Settings {
  const values = settingNames.map((name) => [name, stored[name] ?? settingRow(name).initial]);
  return { ...Object.fromEntries(values), ...fixedSettings() } as Settings;
}

let current: (Settings & { logo: Logo | null }) | undefined;
let [reads, lastRead] = [0, 0];

/** Reads the settings again. Of concurrent reads, the one that began last counts. */
export async function loadSettings(): Promise<void> {
  const read = (reads += 1);
  const stored = await readStoredSettings();
  if (read < lastRead) return;
  lastRead = read;
  current = { ...effectiveSettings(stored), logo: stored.logo };
}

/** Returns the settings that count on this instance; before the database was read, the initial ones. */
export function settings(): Settings & { logo: Logo | null } {
  return current ?? { ...effectiveSettings({}), logo: null };
}

export function siteFormat(): SiteFormat {
  const { currencySymbol: symbol, currencyPlace: place, weekStart } = settings();
  return { timeZone: siteTimeZone(), currency: { symbol, place }, weekStart };
}

/**
 * Selects the first day of the week that a day belongs to.
 * @param time an expression of type date or timestamp
 */
export function startOfWeekSql(time: string): string {
  const shift = settings().weekStart === "sunday" ? 1 : 0;
  return `(date_trunc('week', (${time}) + interval '${shift} days')::date - ${shift})`;
}
