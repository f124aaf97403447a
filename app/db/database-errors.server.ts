/** Tells apart what went wrong with a statement. */
import pg from "pg";
import { codeOf } from "../errors";

const systemErrors =
  /^(ECONN(REFUSED|RESET|ABORTED)|ENOENT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|EPIPE|ETIMEDOUT)$/;

/**
 * Errors of PostgreSQL: no connection; shutting down, crashed, starting; too many connections;
 * read-only after a failover; disk or memory full; timeouts of locks, statements, transactions and idle sessions.
 */
const postgresErrors = /^(08...|57P0[1235]|53300|25006|53100|53200|55P03|57014|25P0[34])$/;

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
  const code = codeOf(error);
  return (
    error instanceof DatabaseSilentError ||
    error.name === "KnexTimeoutError" ||
    systemErrors.test(code) ||
    postgresErrors.test(code) ||
    clientErrors.test(driverMessage(error.message)) ||
    isLoginRejected(error)
  );
}

/** Cuts off the statement, which knex writes before the message of the driver. */
export function driverMessage(message: string): string {
  return message.split(" - ").at(-1)!;
}

/** Refusals of a pooler. Its other errors have the same code, and come from a server that it can't reach or has lost. */
const poolerRefusals =
  /unsupported startup parameter|no such (database|user)|not allowed|required|config error|authentication failed/;

/**
 * Whether the database rejects a connection, and waiting doesn't help: a wrong name, password or parameter, or a
 * certificate that is not trusted.
 */
export function isConnectionRejected(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = codeOf(error);
  if (code === "08P01") return poolerRefusals.test(error.message);
  // A role may also lack the right to connect, for which a statement fails with the same code.
  return code === "42501" || isLoginRejected(error);
}

/** Whether no connection is made: while the product runs, its password, its database or a certificate may change. */
function isLoginRejected(error: Error): boolean {
  return (
    /^(28...|3D000)$|^ERR_TLS|CERT|UNABLE_TO_|SELF_SIGNED/.test(codeOf(error)) ||
    error.message.startsWith("The server does not support SSL")
  );
}

/** Whether a file that the address names, such as a certificate, can't be read. A socket that is away fails to `connect`. */
export function isUnreadableFile(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return codeOf(error) === "EISDIR" || ("syscall" in error && error.syscall === "open");
}

/** Whether PostgreSQL gave a statement up because of its timeout. */
export function isStatementTimeout(error: unknown): boolean {
  return codeOf(error) === "57014";
}

/** Whether PostgreSQL ended a transaction because of a deadlock: a fault, after which the same request may work. */
export function isDeadlock(error: unknown): boolean {
  return codeOf(error) === "40P01";
}

/** Whether a statement did not get its locks: others held them for too long, or PostgreSQL ended a deadlock. */
export function isLockConflict(error: unknown): boolean {
  return ["55P03", "40P01"].includes(codeOf(error));
}

/** Whether a statement met a concurrent one: a row with the same key, a deadlock, a serialization failure. */
export function isConcurrentWrite(error: unknown): boolean {
  return ["23505", "40P01", "40001"].includes(codeOf(error));
}

/** Whether a replica ended a statement, for a change that it has to replay or because its database was dropped. */
export function isReplayConflict(error: unknown): boolean {
  return ["40001", "40P01", "57P04"].includes(codeOf(error));
}

/** Whether PostgreSQL rejected a row because of the constraint or unique index of this name. */
export function violatesConstraint(error: unknown, constraint: string): boolean {
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
  return codeOf(error).startsWith("23");
}
