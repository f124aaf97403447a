import type { Knex } from "knex";
import { db } from "./connection.server";

/**
 * Ours among the advisory locks of the database; any number, as long as it never changes and no
 * other lock has it (migrations: 7203511).
 */
export const platformSyncLock = 7_203_512;

/** A connection that stays the same; PostgreSQL frees what it holds when it is lost. */
export type LockedConnection = {
  query<Row>(sql: string, bindings?: Knex.RawBinding[]): Promise<Row[]>;
  transaction<Result>(work: (transaction: Knex.Transaction) => Promise<Result>): Promise<Result>;
};

/**
 * Runs `work` while no other process or request runs under the same lock; the lock outlives
 * transactions, so that the work may wait for something outside the database without holding one
 * open.
 * @returns null, at once, when somebody else has the lock
 */
export async function withAdvisoryLock<Result>(
  lock: number,
  work: (connection: LockedConnection) => Promise<Result>,
): Promise<{ result: Result } | null> {
  const pool = db();
  const client = pool.client as Knex.Client;
  const raw = (await client.acquireConnection()) as { end(): Promise<void> };
  const query = async <Row>(sql: string, bindings: Knex.RawBinding[] = []): Promise<Row[]> => {
    const { rows } = await pool.raw<{ rows: Row[] }>(sql, bindings).connection(raw);
    return rows;
  };
  let mayStillHold = true;
  try {
    const [tried] = await query<{ taken: boolean }>("select pg_try_advisory_lock(?) as taken", [
      lock,
    ]);
    mayStillHold = tried!.taken;
    if (!mayStillHold) return null;
    try {
      const result = await work({
        query,
        transaction: (inside) => pool.transaction(inside, { connection: raw }),
      });
      return { result };
    } finally {
      await query("select pg_advisory_unlock(?)", [lock]);
      mayStillHold = false;
    }
  } finally {
    // The pool drops a connection that has ended; with it goes the lock.
    if (mayStillHold) await raw.end().catch(() => {});
    await client.releaseConnection(raw);
  }
}
