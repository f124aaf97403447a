import { queryPrepared, type PreparedStatement } from "../../db/connection.server";
import { DomainError } from "../../errors";

/** Transient errors: a concurrent insert of the same redemption id, a deadlock, a serialization failure. */
const passing = new Set(["23505", "40P01", "40001"]);
const maxAttempts = 50;

/**
 * Runs a statement that decides and does in one. When what it saw was changed by somebody else
 * before it could act, it has done nothing and is run again: each such round means that another
 * one got on.
 */
export async function decide<Row extends { verdict: string }>(
  statement: PreparedStatement,
  values: Record<string, unknown>,
): Promise<Row> {
  for (let round = 0; round < maxAttempts; round++) {
    const row = await queryPrepared<Row>(statement, values).then(
      (rows) => rows[0],
      (error: unknown) => {
        if (isPassing(error)) return undefined;
        throw error;
      },
    );
    if (row && row.verdict !== "again") return row;
  }
  throw new DomainError("unavailable", "Too many ask at once. Please try again.");
}

function isPassing(error: unknown): boolean {
  return error instanceof Error && "code" in error && passing.has(String(error.code));
}
