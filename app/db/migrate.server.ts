import { randomInt } from "node:crypto";
import { readdir } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import type { Knex } from "knex";
import { environment, EnvironmentError, isTimeZone } from "../env.server";
import { withBaseline } from "./baseline.server";
import { one, readValue } from "./connection.server";
import { isDeadlock } from "./database-errors.server";
import { withMigrationLock } from "./migration-lock.server";
import { restrictRole } from "./privileges.server";
import { runWithRetry } from "./retry.server";

const migrationsTable = "schema_migrations";
/** Folders of migrations, by the beginning of their names. Those of the demo area run only where it is on. */
const folders = { "": path.resolve("migrations"), "demo/": path.resolve("app/demo/migrations") };

export type FirstStart = {
  /** null takes the system's time zone. */
  timeZone: string | null;
  hasSampleData: boolean;
  /** Runs in the transaction that sets the installation up, once in its life. */
  createAdmin: (database: Knex) => Promise<void>;
};

/**
 * Brings the schema up to date and, on the first start, sets the installation up. Any number of
 * instances may do this at once, and any of them may be killed meanwhile.
 * @param options.appRole the role of the product, if the address is that of another role, which owns the tables
 * @param options.product the pool of the product, if it has an address of its own
 * @throws EnvironmentError if this database or time zone can't be used
 */
export async function prepareDatabase(
  url: string,
  firstStart: FirstStart,
  { appRole = null, product = null }: { appRole?: string | null; product?: Knex | null } = {},
): Promise<void> {
  const work = async (database: Knex) => {
    if (product !== null && !(await isSameDatabase(database, product)))
      throw new EnvironmentError(
        "DATABASE_DIRECT_URL leads to another database than DATABASE_URL, but migrations and backups need the same one.",
      );
    await migrate(database, appRole);
    await database.transaction((transaction) => setUpSite(transaction, firstStart));
  };
  await withMigrationLock(url, work, isSetUp);
}

/** Whether a lock that is taken over one pool is seen over the other one. */
async function isSameDatabase(one: Knex, other: Knex): Promise<boolean> {
  const key = randomInt(2 ** 31);
  return one.transaction(async (transaction) => {
    await transaction.raw("select pg_advisory_xact_lock(?)", [key]);
    return !(await readValue<boolean>(other, "select pg_try_advisory_xact_lock(?)", [key]));
  });
}

/** Whether a start changes nothing: it shares the lock then, and does not wait for a backup. */
async function isSetUp(database: Knex): Promise<boolean> {
  return (await isSchemaCurrent(database)) && Boolean(await database("site_settings").first());
}

/** Runs the migrations that this installation lacks, and gives the product's role its rights. */
export async function migrate(database: Knex, appRole: string | null): Promise<void> {
  await runMigrations(database, await migrationNames());
  if (appRole !== null) await restrictRole(database, appRole);
}

/** Runs those of the given migrations that have not run. */
export async function runMigrations(database: Knex, names: string[]): Promise<void> {
  if (await haveRun(database, names)) return;
  await adoptSchema(database);
  const settings: Knex.MigratorConfig = {
    migrationSource: migrationSource(names),
    tableName: migrationsTable,
    // An older release may start on a newer schema during a rolling deployment.
    disableMigrationsListValidation: true,
  };
  await runWithRetry(
    async () => {
      await database.migrate.forceFreeMigrationsLock(settings);
      await database.migrate.latest(settings);
    },
    {
      maxAttempts: 10,
      // A redemption held one of the tables of a migration, and waited for another; or the last commit of a killed
      // predecessor arrived only now.
      isTransient: async (error) => isDeadlock(error) || haveRun(database, names),
    },
  );
}

/**
 * Rewrites the list of migrations of a database of a release before 1.0.0.
 * @throws EnvironmentError if its schema is not that of the baseline
 */
async function adoptSchema(database: Knex): Promise<void> {
  const recorded = await recordedMigrations(database);
  const names = withBaseline(recorded);
  if (names === null)
    throw new EnvironmentError(
      "The database is of an early release, which this one can't upgrade. Start the last release before 1.0.0 on it once, then this one.",
    );
  const added = names.filter((name) => !recorded.includes(name));
  if (added.length === 0) return;
  await database.transaction(async (transaction) => {
    await transaction(migrationsTable).whereNotIn("name", names).delete();
    await transaction(migrationsTable).insert(
      added.map((name) => ({ name, batch: 1, migration_time: transaction.fn.now() })),
    );
  });
}

/** Whether every migration that this installation needs has run; those of later releases may have run too. */
export async function isSchemaCurrent(database: Knex): Promise<boolean> {
  return haveRun(database, await migrationNames());
}

async function haveRun(database: Knex, names: string[]): Promise<boolean> {
  const recorded = new Set(await recordedMigrations(database));
  return names.every((name) => recorded.has(name));
}

async function recordedMigrations(database: Knex): Promise<string[]> {
  const table = await readValue<string | null>(
    database,
    // Early releases called it knex_migrations.
    "select coalesce(to_regclass(:migrationsTable), to_regclass('knex_migrations'))::text",
    { migrationsTable },
  );
  return table === null ? [] : database(table).pluck<string[]>("name");
}

/** Returns the names of the migrations that this installation needs, in order. */
async function migrationNames(): Promise<string[]> {
  const hasDemo = environment().demoPages !== "off";
  return (await knownMigrations()).filter((name) => hasDemo || !name.startsWith("demo/"));
}

let known: Promise<string[]> | undefined;

/** Returns the names of all migrations of this release, in order, read before those of the next one can lie there. */
export function knownMigrations(): Promise<string[]> {
  return (known ??= readMigrationNames());
}

async function readMigrationNames(): Promise<string[]> {
  const lists = Object.entries(folders).map(async ([start, folder]) => {
    const names = (await readdir(folder)).filter((name) => name.endsWith(".js"));
    return names.sort().map((name) => start + name);
  });
  return (await Promise.all(lists)).flat();
}

/** Imports migrations as modules, which knex would have to guess. */
const migrationSource = (names: string[]): Knex.MigrationSource<string> => ({
  getMigrations: () => Promise.resolve(names),
  getMigrationName: (name) => name,
  getMigration: async (name) => {
    const { up, config } = (await import(/* @vite-ignore */ fileUrl(name))) as Migration;
    return {
      up,
      // knex requires a way back, but the schema only moves forward.
      down: () => Promise.reject(new Error("Migrations can't be undone")),
      ...(config && { config }),
    };
  },
});

type Migration = { up: (knex: Knex) => Promise<void>; config?: { transaction: boolean } };

function fileUrl(name: string): string {
  const start = name.startsWith("demo/") ? "demo/" : "";
  return pathToFileURL(path.join(folders[start], name.slice(start.length))).href;
}

/** Creates settings, admin and sample data in one transaction. */
async function setUpSite(transaction: Knex, firstStart: FirstStart): Promise<void> {
  const settings = await one<{ zone: string }>(
    transaction,
    "select time_zone as zone from site_settings",
  );
  if (settings) {
    const { zone } = settings;
    const configured = firstStart.timeZone;
    if (configured !== null && !isSameZone(configured, zone))
      throw new EnvironmentError(
        `TIME_ZONE is "${configured}", but this installation has counted its days in ${zone} from the beginning. Leave TIME_ZONE out, or set it to ${zone}.`,
      );
    return;
  }

  const timeZone = firstStart.timeZone ?? systemTimeZone();
  await transaction.raw("select now() at time zone ?", [timeZone]).catch(() => {
    throw new EnvironmentError(
      `TIME_ZONE is "${timeZone}", but the database does not know this time zone.`,
    );
  });
  await transaction("site_settings").insert({ time_zone: timeZone });
  if (firstStart.hasSampleData && !(await transaction("machines").first("id"))) {
    const { seed } = (await import(/* @vite-ignore */ fileUrl("seeds/sample-data.js"))) as {
      seed: (knex: Knex, timeZone: string) => Promise<void>;
    };
    await seed(transaction, timeZone);
    await transaction("site_settings").update({ sample_data_until: transaction.fn.now() });
  }
  await firstStart.createAdmin(transaction);
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
