import { readdir } from "node:fs/promises";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import knex, { type Knex } from "knex";
import type pg from "pg";
import { environment, EnvironmentError, isTimeZone } from "../env.server";
import { withBaseline } from "./baseline.server";
import { one, readValue } from "./connection.server";
import { clientWith, connectWith } from "./database-client.server";
import { restrictRole } from "./privileges.server";

const migrationsTable = "schema_migrations";
/** Folders of migrations, by the beginning of their names. Those of the demo area run only where it is on. */
const folders = { "": path.resolve("migrations"), "demo/": path.resolve("app/demo/migrations") };
const oldestServer = 15;
/** The advisory lock of migrations: any number that never changes. */
const migrationLock = 7_203_511;

/** Has no timeouts, whatever a managed server gives the role: an index on a million rows takes long. */
const PatientClient = clientWith(
  {
    statement_timeout: "0",
    lock_timeout: "0",
    idle_in_transaction_session_timeout: "0",
    idle_session_timeout: "0",
  },
  "session",
);

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
 * @param appRole the role of the product, if the address is that of another role, which owns the tables
 * @throws EnvironmentError if this database or time zone can't be used
 */
export async function prepareDatabase(
  url: string,
  firstStart: FirstStart,
  appRole: string | null = null,
): Promise<void> {
  const work = async (database: Knex) => {
    await migrate(database, appRole);
    await database.transaction((transaction) => setUpSite(transaction, firstStart));
  };
  await withMigrationLock(url, work, isSetUp);
}

/** Whether a start changes nothing: it shares the lock then, and does not wait for a backup. */
async function isSetUp(database: Knex): Promise<boolean> {
  return (await isSchemaCurrent(database)) && Boolean(await database("site_settings").first());
}

/**
 * Runs `work` while no other process migrates or fills this database.
 * @param isShared whether `work` changes nothing, so that backups may run meanwhile
 */
export async function withMigrationLock<Result>(
  url: string,
  work: (database: Knex) => Promise<Result>,
  isShared: (database: Knex) => Promise<boolean> = async () => false,
): Promise<Result> {
  // knex's own lock is a row that a killed process leaves behind; PostgreSQL releases this one.
  const lock = new PatientClient({
    connectionString: url,
    application_name: "promo-console migrations",
    connectionTimeoutMillis: 3_000,
    keepAlive: true,
  });
  let lost: Error | null = null;
  lock.on("error", (error) => (lost = error));
  await lock.connect();
  const migrations = connectWith(
    knex({
      client: "pg",
      connection: { connectionString: url, application_name: "promo-console migrations" },
      pool: { min: 0, max: 2 },
      log: { warn() {}, error() {}, deprecate() {}, debug() {} },
    }),
    PatientClient,
  );
  try {
    await assertServer(lock);
    await assertOwnSession(lock, migrations);
    await acquireMigrationLock(lock, { isShared: await isShared(migrations) });
    const result = await work(migrations);
    if (lost) throw lost;
    return result;
  } finally {
    await migrations.destroy();
    await lock.end().catch(() => {});
  }
}

/**
 * Takes the lock of migrations for the session, or shares it with others that don't migrate. It is polled for: a
 * statement that waited for it would hold a snapshot, and `create index concurrently` waits for all of those.
 */
export async function acquireMigrationLock(
  client: pg.Client,
  options: { isShared?: boolean } = {},
): Promise<void> {
  const acquire = `pg_try_advisory_lock${options.isShared ? "_shared" : ""}`;
  for (;;) {
    const { rows } = await client.query<{ isMine: boolean }>(
      `select ${acquire}(${migrationLock}) as "isMine"`,
    );
    if (rows[0]!.isMine) return;
    await delay(50);
  }
}

async function assertServer(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ version: string; encoding: string }>(
    "select current_setting('server_version_num') as version, current_setting('server_encoding') as encoding",
  );
  const { encoding, ...server } = rows[0]!;
  const version = Math.floor(Number(server.version) / 10_000);
  if (version < oldestServer)
    throw new EnvironmentError(
      `DATABASE_URL leads to PostgreSQL ${version}, but it must be ${oldestServer} or newer.`,
    );
  if (encoding !== "UTF8")
    throw new EnvironmentError(
      `DATABASE_URL leads to a database in ${encoding}, but it must be UTF8.`,
    );
}

/** A pooler in transaction mode gives its session to whoever asks next, and with it the lock. */
async function assertOwnSession(lock: pg.Client, other: Knex): Promise<void> {
  const sql = "select pg_backend_pid() as pid";
  const { rows } = await lock.query<{ pid: number }>(sql);
  if (rows[0]!.pid === (await readValue<number>(other, sql)))
    throw new EnvironmentError(
      "DATABASE_URL leads to a pooler in transaction mode: set DATABASE_POOLING=transaction, and DATABASE_DIRECT_URL to the address of the database itself.",
    );
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
  try {
    await database.migrate.forceFreeMigrationsLock(settings);
    await database.migrate.latest(settings);
  } catch (error) {
    // The last commit of a killed predecessor may have arrived only now.
    if (!(await haveRun(database, names))) throw error;
  }
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
