/** Tells apart what went wrong with a statement. */
import pg from "pg";

const systemErrors =
  /^(ECONN(REFUSED|RESET|ABORTED)|ENOENT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|EPIPE|ETIMEDOUT)$/;

/**
 * Errors of PostgreSQL: no connection; shutting down, crashed, starting; too many connections;
 * read-only after a failover; disk or memory full; lock and statement timeouts; a transaction left open.
 */
const postgresErrors = /^(08...|57P0[123]|53300|25006|53100|53200|55P03|57014|25P03)$/;

const clientErrors =
  /^(Connection terminated|Client (has encountered a connection error|was closed) and is not queryable|timeout expired|timeout exceeded when trying|Connection ended unexpectedly|Query read timeout|Cannot use a pool after|The database is not connected yet|Unable to acquire a connection)/;

/** The database takes requests but doesn't answer. */
export class DatabaseSilentError extends Error {
  override name = "DatabaseSilentError";
  override message = "The database does not answer";
}

/**
 * Whether the database can't be reached or can't serve at the moment, so that the same request may
 * work later: a 503 instead of a fault.
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = "code" in error ? String(error.code) : "";
  // knex writes the statement before the message of the driver.
  const reason = error.message.split(" - ").at(-1)!;
  return (
    error instanceof DatabaseSilentError ||
    error.name === "KnexTimeoutError" ||
    systemErrors.test(code) ||
    postgresErrors.test(code) ||
    clientErrors.test(reason)
  );
}

/** Whether a file that the address names, such as a certificate, can't be read. A socket that is away fails to `connect`. */
export function isUnreadableFile(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const isFolder = "code" in error && error.code === "EISDIR";
  return isFolder || ("syscall" in error && error.syscall === "open");
}

/** Whether PostgreSQL gave a statement up because of its timeout. */
export function isStatementTimeout(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === "57014";
}

/** Whether PostgreSQL ended a transaction because of a deadlock: a fault, after which the same request may work. */
export function isDeadlock(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === "40P01";
}

/** Whether PostgreSQL rejected a row because of this unique index or constraint. */
export function isUniqueViolation(error: unknown, constraint: string): boolean {
  return error instanceof pg.DatabaseError && error.constraint === constraint;
}

/** Tells whether a row refers to one that is not there. @param constraint name of the foreign key */
export function isMissingReference(error: unknown, constraint: string): boolean {
  return (
    error instanceof pg.DatabaseError && error.code === "23503" && error.constraint === constraint
  );
}

/** Whether PostgreSQL rejected a row because of any constraint. */
export function isConstraintViolation(error: unknown): boolean {
  return error instanceof pg.DatabaseError && (error.code ?? "").startsWith("23");
}
