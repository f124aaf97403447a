import { onTestFinished } from "vitest";
import { db } from "../../app/db/connection.server";

type State = "waiting for a lock" | "idle in a transaction";
const conditions: Record<State, string> = {
  "waiting for a lock": "wait_event_type = 'Lock'",
  "idle in a transaction": "state like 'idle in transaction%'",
};

/** Counts the sessions of the connected database that are in a state. */
export async function countSessions(state: State): Promise<number> {
  const { rows } = await db().raw<{ rows: { count: number }[] }>(
    `select count(*)::integer as count from pg_stat_activity
     where datname = current_database() and ${conditions[state]}`,
  );
  return rows[0]!.count;
}

/** Begins a transaction that ends with the test at the latest. */
export async function openTransaction() {
  const transaction = await db().transaction();
  onTestFinished(async () => {
    if (!transaction.isCompleted()) await transaction.rollback();
  });
  return transaction;
}

/** Locks a table in a transaction that ends with the test at the latest. */
export async function lockTable(table: string, mode = "access exclusive") {
  const holder = await openTransaction();
  await holder.raw(`lock table ?? in ${mode} mode`, [table]);
  return holder;
}
