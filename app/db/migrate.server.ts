import { readdir } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import knex, { type Knex } from "knex";
import pg from "pg";
import { EnvironmentError, isTimeZone } from "../env.server";
import { db } from "./connection.server";

const migrationsFolder = path.resolve("migrations");
const oldestServer = 15;
/** Ours among the advisory locks of the database; any number, as long as it never changes. */
const lockNumber = 7_203_511;

export type FirstStart = {
  /** null takes the system's. */
  timeZone: string | null;
  hasSampleData: boolean;
  /** Runs in the transaction that opens the installation, and once in its life. */
  createAdmin: (database: Knex) => Promise<void>;
};

/**
 * Brings the schema up to date and, the first time, fills in what an installation begins with.
 * Any number of instances may do this at once, and any of them may be killed meanwhile.
 * @throws EnvironmentError when this database or time zone can't be used
 */
export async function prepareDatabase(url: string, firstStart: FirstStart): Promise<void> {
  // knex's own lock is a row that a killed process leaves set for ever; PostgreSQL frees this one.
  const lock = new pg.Client({
    connectionString: url,
    application_name: "promo-console migrations",
    connectionTimeoutMillis: 3_000,
    keepAlive: true,
  });
  let lost: Error | null = null;
  lock.on("error", (error) => (lost = error));
  await lock.connect();
  // Without the time limits of the pool: an index on a million rows may take its time.
  const migrations = knex({
    client: "pg",
    connection: { connectionString: url, application_name: "promo-console migrations" },
    pool: { min: 0, max: 2 },
    log: { warn() {}, error() {}, deprecate() {}, debug() {} },
  });
  try {
    await assertServer(lock);
    await lock.query("select pg_advisory_lock($1)", [lockNumber]);
    await migrate(migrations);
    await migrations.transaction((transaction) => openSite(transaction, firstStart));
    if (lost) throw lost;
  } finally {
    await migrations.destroy();
    await lock.end().catch(() => {});
  }
}

/** Whether every migration of this release has run; later ones may have, too. */
export async function isSchemaCurrent(): Promise<boolean> {
  return isMigrated(db());
}

async function assertServer(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ version: string; encoding: string }>(
    "select current_setting('server_version_num') as version, current_setting('server_encoding') as encoding",
  );
  const version = Math.floor(Number(rows[0]?.version) / 10_000);
  if (version < oldestServer) {
    throw new EnvironmentError(
      `DATABASE_URL leads to PostgreSQL ${version}, but it must be ${oldestServer} or newer.`,
    );
  }
  if (rows[0]?.encoding !== "UTF8") {
    throw new EnvironmentError(
      `DATABASE_URL leads to a database in ${rows[0]?.encoding}, but it must be UTF8.`,
    );
  }
}

async function migrate(database: Knex): Promise<void> {
  if (await isMigrated(database)) return;
  const settings: Knex.MigratorConfig = {
    migrationSource,
    // An older release may start on a newer schema (a deployment in steps).
    disableMigrationsListValidation: true,
  };
  try {
    await database.migrate.forceFreeMigrationsLock(settings);
    await database.migrate.latest(settings);
  } catch (error) {
    // A killed predecessor's last commit may have arrived only now.
    if (!(await isMigrated(database))) throw error;
  }
}

async function isMigrated(database: Knex): Promise<boolean> {
  const { rows } = await database.raw<{ rows: { exists: boolean }[] }>(
    "select to_regclass('knex_migrations') is not null as exists",
  );
  if (!rows[0]?.exists) return false;
  const done = new Set(await database("knex_migrations").pluck<string[]>("name"));
  return (await migrationNames()).every((name) => done.has(name));
}

type Migration = { up: (knex: Knex) => Promise<void>; down: (knex: Knex) => Promise<void> };

async function migrationNames(): Promise<string[]> {
  return (await readdir(migrationsFolder)).filter((name) => name.endsWith(".js")).sort();
}

/** knex guesses how to load a file; these are modules. */
const migrationSource: Knex.MigrationSource<string> = {
  getMigrations: () => migrationNames(),
  getMigrationName: (name) => name,
  getMigration: async (name) =>
    (await import(/* @vite-ignore */ fileAddress(name))) as Promise<Migration>,
};

function fileAddress(name: string): string {
  return pathToFileURL(path.join(migrationsFolder, name)).href;
}

/** Settings, admin and sample data come together or not at all. */
async function openSite(transaction: Knex, firstStart: FirstStart): Promise<void> {
  const kept = await transaction("site_settings").first<{ time_zone: string }>("time_zone");
  if (kept) {
    const wanted = firstStart.timeZone;
    if (wanted !== null && !isSameZone(wanted, kept.time_zone)) {
      throw new EnvironmentError(
        `TIME_ZONE is "${wanted}", but this installation has counted its days in ${kept.time_zone} from the beginning. Leave TIME_ZONE out, or set it to ${kept.time_zone}.`,
      );
    }
    return;
  }

  const timeZone = firstStart.timeZone ?? systemTimeZone();
  await assertKnownZone(transaction, timeZone);
  await transaction("site_settings").insert({ time_zone: timeZone });
  if (firstStart.hasSampleData && !(await transaction("machines").first("id"))) {
    const { seed } = (await import(/* @vite-ignore */ fileAddress("seeds/sample-data.js"))) as {
      seed: (knex: Knex, timeZone: string) => Promise<void>;
    };
    await seed(transaction, timeZone);
  }
  await firstStart.createAdmin(transaction);
}

async function assertKnownZone(transaction: Knex, timeZone: string): Promise<void> {
  try {
    await transaction.raw("select now() at time zone ?", [timeZone]);
  } catch {
    throw new EnvironmentError(
      `TIME_ZONE is "${timeZone}", but the database does not know this time zone.`,
    );
  }
}

function systemTimeZone(): string {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  return isTimeZone(timeZone) ? timeZone : "UTC";
}

function isSameZone(one: string, other: string): boolean {
  const canonical = (timeZone: string) =>
    new Intl.DateTimeFormat("en", { timeZone }).resolvedOptions().timeZone;
  return one.toLowerCase() === other.toLowerCase() || canonical(one) === canonical(other);
}
