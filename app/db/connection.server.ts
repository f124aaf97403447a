import knex, { type Knex } from "knex";
import type pg from "pg";

/** What runs a query: the pool, or a transaction that the caller holds open. */
export type Database = Knex;

let pool: Knex | undefined;

/**
 * Opens the pool; a connection is made only when a query needs one. Called once at start, and by
 * tests with a database of their own.
 * @param url a `postgresql:` URL; a Unix socket as `postgresql://user:password@/name?host=/folder`
 * @param log gets at most one line in ten seconds
 */
export function connect(url: string, log: (message: string) => void = () => {}): Knex {
  const warn = atMostEvery(10_000, log);
  const connection: Knex.PgConnectionConfig & pg.ClientConfig = {
    connectionString: url,
    application_name: "promo-console",
    keepAlive: true,
    connectionTimeoutMillis: 3_000,
    // The server gives up before a person does, and frees what others wait for.
    statement_timeout: 10_000,
    lock_timeout: 2_000,
    idle_in_transaction_session_timeout: 15_000,
  };
  pool = knex({
    client: "pg",
    connection,
    pool: { min: 0, max: 10 },
    acquireConnectionTimeout: 3_000,
    // knex's own prints a whole stack for each attempt to reconnect.
    log: { warn, error: warn, deprecate: warn, debug: () => {} },
  });
  return pool;
}

export async function disconnect(): Promise<void> {
  const closing = pool;
  pool = undefined;
  await closing?.destroy();
}

export function db(): Knex {
  if (!pool) throw new Error("The database is not connected yet");
  return pool;
}

const unavailableCodes = new Set([
  // of the system
  "ECONNREFUSED",
  "ECONNRESET",
  "ECONNABORTED",
  "ENOENT",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "EPIPE",
  "ETIMEDOUT",
  // of PostgreSQL: shutting down, crashed, starting; too many connections; read-only after a
  // failover; disk or memory full; lock and statement timeouts; a transaction left open
  "57P01",
  "57P02",
  "57P03",
  "53300",
  "25006",
  "53100",
  "53200",
  "55P03",
  "57014",
  "25P03",
]);

/**
 * Whether the database can't be reached or can't serve just now, so that the same request may
 * work later: a 503, not a fault of ours.
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error.name === "KnexTimeoutError") return true;
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  if (unavailableCodes.has(code) || code.startsWith("08")) return true;
  return /^(Connection terminated|Client has encountered a connection error|timeout expired|timeout exceeded when trying|Connection ended unexpectedly|The database is not connected yet|Unable to acquire a connection)/.test(
    error.message,
  );
}

function atMostEvery(milliseconds: number, log: (message: string) => void) {
  let quietUntil = -Infinity;
  return (message: unknown) => {
    if (performance.now() < quietUntil) return;
    quietUntil = performance.now() + milliseconds;
    log(`Database: ${String(message).split("\n")[0]?.slice(0, 300)}`);
  };
}
