import { AsyncLocalStorage } from "node:async_hooks";
import { hash } from "node:crypto";
import knex, { type Knex } from "knex";
import pg from "pg";
import { clientWith, connectWith, type Pooling, type Settings } from "./database-client.server";
import { isDatabaseUnavailable } from "./database-errors.server";

/** Runs queries: the pool, or a transaction that the caller holds open. */
export type Database = Knex;

/** The server gives up before users do, and releases what others wait for. */
const settings = {
  statement_timeout: "10s",
  lock_timeout: "2s",
  idle_in_transaction_session_timeout: "15s",
  /**
   * The planner hopes to find what a page needs in the first rows of a table. Codes that were made together lie
   * together: it then reads a million rows that don't match. It still scans a table where no index helps.
   */
  enable_seqscan: "off",
  // A scan that is allowed nevertheless costs 10^10, and PostgreSQL would compile each such statement.
  jit: "off",
};

/** Forces a generic plan: planning costs more than execution for prepared statements. */
export const preparedSettings = {
  ...settings,
  // A machine asks again, and whoever waits for a lock keeps others from a connection.
  lock_timeout: "1s",
  plan_cache_mode: "force_generic_plan",
};

/** Connections for redemptions: a third for each key, which is enough for two codes and rollbacks that are locked. */
export const preparedConnections = 15;
const testConnections = 2;

/** The tables that a statement reads: those of the site, or those of its test mode. */
export type Site = "real" | "test";

let pool: Knex | undefined;
let preparedPools: Record<Site, pg.Pool> | undefined;
let probePool: Knex | undefined;
let openUnlimited: (() => Knex) | undefined;

/**
 * Opens the pools; a connection is made only when a query needs one. Called once at start, and by
 * tests with a database of their own.
 * @param url a `postgresql:` URL; a Unix socket as `postgresql://user:password@/name?host=/folder`
 * @param options.log gets at most one line in ten seconds
 */
export function connect(
  url: string,
  { log = () => {}, pooling = "session" }: ConnectOptions = {},
): Knex {
  const warn = atMostEvery(10_000, log);
  pool = openPool(url, { max: 10, timeoutMs: 3_000 }, { warn, pooling });
  const forProbes = { max: 1, timeoutMs: 2_000, config: { query_timeout: 2_000 } };
  probePool = openPool(url, forProbes, { warn, pooling });
  const noTimeouts = { statement_timeout: "0", lock_timeout: "0" };
  openUnlimited = () =>
    openPool(url, { max: 1, timeoutMs: 3_000, settings: noTimeouts }, { warn, pooling });
  const preparedPool = (max: number, settings: Settings) => {
    const opened = new pg.Pool({
      ...connectionTo(url),
      Client: clientWith(settings, pooling),
      max,
      idleTimeoutMillis: 30_000,
      // For networks that lose answers; otherwise the statement timeout comes first.
      query_timeout: 12_000,
    });
    opened.on("error", warn);
    // A connection that breaks while it is in use fails its query, which reports the error.
    opened.on("connect", (client) => void client.on("error", () => {}));
    return opened;
  };
  preparedPools = {
    real: preparedPool(preparedConnections, preparedSettings),
    test: preparedPool(testConnections, { ...preparedSettings, search_path: "test_mode, public" }),
  };
  return pool;
}

type ConnectOptions = { log?: (message: string) => void; pooling?: Pooling };

/** Returns the options of a connection. @param options.name what PostgreSQL lists it as */
export const connectionTo = (url: string, { name = "promo-console", timeoutMs = 3_000 } = {}) => ({
  connectionString: url,
  application_name: name,
  keepAlive: true,
  connectionTimeoutMillis: timeoutMs,
});

/** Opens a pool for pages. @param limits.timeoutMs for a free connection, and for making one */
export function openPool(
  url: string,
  limits: { max: number; timeoutMs: number; config?: pg.ClientConfig; settings?: Settings },
  { warn, pooling }: { warn: (message: unknown) => void; pooling: Pooling },
): Knex {
  const { max, timeoutMs, config } = limits;
  return connectWith(
    knex({
      client: "pg",
      connection: { ...connectionTo(url, { timeoutMs }), ...config } as Knex.PgConnectionConfig,
      pool: { min: 0, max },
      acquireConnectionTimeout: timeoutMs,
      // The default of knex prints a whole stack for each attempt to reconnect.
      log: { warn, error: warn, deprecate: warn, debug: () => {} },
    }),
    clientWith({ ...settings, ...limits.settings }, pooling),
  );
}

export async function disconnect(): Promise<void> {
  const closing = [
    pool?.destroy(),
    probePool?.destroy(),
    ...Object.values(preparedPools ?? {}).map((prepared) => prepared.end()),
  ];
  pool = probePool = preparedPools = undefined;
  await Promise.all(closing);
}

const reading = new AsyncLocalStorage<Knex>();

/** The database that the running work uses: the primary, or the pool that `readWith` has set. */
export function db(): Knex {
  return reading.getStore() ?? primaryDb();
}

/** Returns the pool of the primary, for what work that reads from a replica writes. */
export function primaryDb(): Knex {
  if (!pool) throw new Error("The database is not connected yet");
  return pool;
}

/** Makes `db()` return the pool of a replica within `work`, and in all that it calls. */
export function readWith<Result>(replica: Knex, work: () => Result): Result {
  return reading.run(replica, work);
}

export function isReadingFromReplica(): boolean {
  return reading.getStore() !== undefined;
}

/**
 * Returns the one connection that only checks whether the database answers, within 2 s. Checks don't
 * wait for the work of others, and their answer doesn't depend on it.
 */
export function probeDb(): Knex {
  if (!probePool) throw new Error("The database is not connected yet");
  return probePool;
}

/** Opens a pool of one connection without timeouts, for statements that block nobody. Its caller destroys it. */
export const openWithoutTimeouts = (): Knex => openUnlimited!();

/** Whether the database answers a statement. */
export async function isDatabaseAlive(): Promise<boolean> {
  return probeDb()
    .raw("select 1")
    .then(
      () => true,
      (error: unknown) => !isDatabaseUnavailable(error),
    );
}

/** Counts the connections of the pools of pages and of redemptions, and the statements that wait for one. */
export function poolUsage() {
  const pages = pool?.client.pool as
    Record<"numUsed" | "numFree" | "numPendingAcquires", () => number> | undefined;
  const machines = preparedPools?.real ?? { totalCount: 0, idleCount: 0, waitingCount: 0 };
  return {
    pages: {
      used: pages?.numUsed() ?? 0,
      idle: pages?.numFree() ?? 0,
      waiting: pages?.numPendingAcquires() ?? 0,
    },
    redemptions: {
      used: machines.totalCount - machines.idleCount,
      idle: machines.idleCount,
      waiting: machines.waitingCount,
    },
  };
}

/**
 * Runs a statement and returns its rows with column names in camel case (`created_at` becomes
 * `createdAt`). Values inside JSON columns keep their names.
 * @param database `db()`, or the transaction that the statement belongs to
 * @param sql with `:name` for each binding, or `?`
 * @param options.isPrepared makes each connection keep the plan, which takes longer to make than to follow
 */
export async function query<Row extends object>(
  database: Database,
  sql: string,
  bindings: Bindings = {},
  { isPrepared = false }: QueryOptions = {},
): Promise<Row[]> {
  const statement = database.raw<pg.QueryResult>(sql, bindings as Knex.RawBinding[]);
  // PostgreSQL finds the plan by a name of at most 63 bytes.
  if (isPrepared) statement.options({ name: hash("sha256", sql, "base64url") });
  return camelCaseRows<Row>(await statement);
}

/** Runs a statement as `query` does and returns its first row, or null if there is none. */
export async function one<Row extends object>(
  database: Database,
  sql: string,
  bindings: Bindings = {},
  options: QueryOptions = {},
): Promise<Row | null> {
  return (await query<Row>(database, sql, bindings, options))[0] ?? null;
}

/** Runs a statement that always has one row of one column, and returns its value. */
export async function readValue<Value>(
  database: Database,
  sql: string,
  bindings: Bindings = {},
  options: QueryOptions = {},
): Promise<Value> {
  const [row] = await query<Record<string, Value>>(database, sql, bindings, options);
  return Object.values(row!)[0] as Value;
}

type Bindings = Record<string, unknown> | readonly unknown[];
type QueryOptions = { isPrepared?: boolean };

function camelCaseRows<Row extends object>({ fields, rows }: pg.QueryResult): Row[] {
  const renamed = fields.map(({ name }) => [name, camelCase(name)] as const);
  if (renamed.every(([column, property]) => column === property)) return rows as Row[];
  return (rows as Record<string, unknown>[]).map((row) => {
    const result: Record<string, unknown> = {};
    for (const [column, property] of renamed) result[property] = row[column];
    return result as Row;
  });
}

export function camelCase(column: string): string {
  return column.replace(/_([a-z0-9])/g, (_underscore, letter: string) => letter.toUpperCase());
}

/** A statement that each connection plans once. A name must always have the same text. */
export type PreparedStatement = {
  name: string;
  /** With `$1`, `$2`, …, in the order of `parameters`. */
  text: string;
  parameters: readonly string[];
};

/** Numbers the bindings of a statement, which is written with `:name` for each value. */
export function prepareStatement(
  name: string,
  parameters: readonly string[],
  sql: string,
): PreparedStatement {
  const text = sql.replace(/(?<!:):([a-zA-Z]+)/g, (_binding, parameter: string) => {
    const index = parameters.indexOf(parameter);
    if (index === -1) throw new Error(`${name}: :${parameter} is no parameter`);
    return `$${index + 1}`;
  });
  return { name, text, parameters };
}

/**
 * Runs one statement in a transaction of its own, on a pool apart from that of the screens, so that
 * machines never wait for pages. Column names are mapped as by `query`.
 * @param site whose tables its names mean; what test mode has no table for is the site's
 */
export async function queryPrepared<Row extends object>(
  { name, text, parameters }: PreparedStatement,
  values: Record<string, unknown>,
  site: Site = "real",
): Promise<Row[]> {
  if (!preparedPools) throw new Error("The database is not connected yet");
  const client = await preparedPools[site].connect();
  let isBroken = false;
  try {
    const bindings = parameters.map((parameter) => values[parameter]);
    return camelCaseRows<Row>(await client.query({ name, text, values: bindings }));
  } catch (error) {
    // An error about the statement leaves the connection usable.
    isBroken = !(error instanceof pg.DatabaseError && error.severity === "ERROR");
    throw error;
  } finally {
    client.release(isBroken);
  }
}

/** Limits a log to one line in so many milliseconds. */
export function atMostEvery(milliseconds: number, log: (message: string) => void) {
  let quietUntil = -Infinity;
  return (message: unknown) => {
    if (performance.now() < quietUntil) return;
    quietUntil = performance.now() + milliseconds;
    log(`Database: ${String(message).split("\n")[0]?.slice(0, 300)}`);
  };
}
