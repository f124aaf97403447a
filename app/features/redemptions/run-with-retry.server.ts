import { queryPrepared, type PreparedStatement } from "../../db/connection.server";
import { DomainError } from "../../errors";

/** A concurrent statement with the same redemption id; a deadlock; a serialization failure. */
const transientErrors = new Set(["23505", "40P01", "40001"]);
const maxAttempts = 50;

/**
 * Runs a statement that decides and acts in one. If a concurrent change made it write nothing, it
 * runs again; each attempt means that another statement got through.
 * @throws DomainError unavailable, after 50 attempts
 */
export async function runWithRetry<Row extends { verdict: string }>(
  statement: PreparedStatement,
  values: Record<string, unknown>,
): Promise<Row> {
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const row = await queryPrepared<Row>(statement, values).then(
      (rows) => rows[0],
      (error: unknown) => {
        if (isTransient(error)) return undefined;
        throw error;
      },
    );
    if (row && row.verdict !== "retry") return row;
  }
  throw new DomainError("unavailable", "Too many ask at once. Please try again.");
}

function isTransient(error: unknown): boolean {
  return error instanceof Error && "code" in error && transientErrors.has(String(error.code));
}
