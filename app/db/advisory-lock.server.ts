import type { Knex } from "knex";
import { db } from "./connection.server";

/** Any number that never changes and that no other lock has (migrations: 7203511). */
export const platformSyncLock = 7_203_512;

/** Runs a transaction on the connection that holds the lock. */
export type LockedTransaction = <Result>(
  work: (trx: Knex.Transaction) => Promise<Result>,
) => Promise<Result>;

/**
 * Runs `work` while no other process or request runs under the same lock. The lock outlives
 * transactions, so that the work can wait for something outside of the database without holding
 * one open; PostgreSQL releases it when the connection is lost.
 * @returns null, without waiting, if the lock is held elsewhere
 */
export async function withAdvisoryLock<Result>(
  lock: number,
  work: (transaction: LockedTransaction) => Promise<Result>,
): Promise<{ result: Result } | null> {
  const pool = db();
  const client = pool.client as Knex.Client;
  const connection = (await client.acquireConnection()) as { end(): Promise<void> };
  let mayHoldLock = true;
  try {
    const { rows } = await pool
      .raw<{ rows: { isLocked: boolean }[] }>('select pg_try_advisory_lock(?) as "isLocked"', [
        lock,
      ])
      .connection(connection);
    mayHoldLock = rows[0]!.isLocked;
    if (!mayHoldLock) return null;
    try {
      return { result: await work((run) => pool.transaction(run, { connection })) };
    } finally {
      await pool.raw("select pg_advisory_unlock(?)", [lock]).connection(connection);
      mayHoldLock = false;
    }
  } finally {
    // The pool drops a connection that has ended, which releases the lock.
    if (mayHoldLock) await connection.end().catch(() => {});
    await client.releaseConnection(connection);
  }
}
