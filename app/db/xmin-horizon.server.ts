/** Reads rows that are committed in another order than that of their ids, without missing one. */
import type { Knex } from "knex";
import { db, one } from "./connection.server";

/**
 * The horizon of a moment before the transaction that asks wrote anything: its own id, higher than any that was given
 * out before. The end of a snapshot is none: what began last may run beyond it.
 */
export const horizonSql = "pg_current_xact_id()";

/** Whether a transaction id is of another database cluster, from which a backup was restored. */
export function isOfAnotherClusterSql(xid: string): string {
  return `${xid} > pg_snapshot_xmax(pg_current_snapshot())`;
}

/**
 * Whether every statement that ran when a horizon was stored has ended: what it wrote is visible, or never will be.
 * @param horizon an expression; null gives null
 */
export function isVisibleUpToSql(horizon: string): string {
  return `(${horizon} <= pg_snapshot_xmin(pg_current_snapshot()) or ${isOfAnotherClusterSql(horizon)})`;
}

/** The point at which reading stopped: at the end, for another instance, or for statements that have not ended. */
export type ReadOutcome = "done" | "busy" | "waiting";

/**
 * Runs steps that read up to a stored horizon, each in a transaction, until one says why it is the last. One instance at a
 * time does it.
 * @param steps.lockSql locks the row with the horizon, or skips it
 * @param steps.run reads its state in a statement of its own, whose snapshot is younger than the lock
 * @param steps.readLastIds reads the ids up to which a step may read once the horizon that it stores is passed
 */
export async function readUpToHorizon<Ids>(steps: {
  lockSql: string;
  readLastIds: () => Promise<Ids>;
  run: (trx: Knex.Transaction, lastIds: Ids) => Promise<ReadOutcome | "unfinished">;
}): Promise<ReadOutcome> {
  for (;;) {
    // Read before the transaction has an id: whoever has a lower one is waited for.
    const lastIds = await steps.readLastIds();
    const outcome = await db().transaction(async (trx) => {
      if (!(await one(trx, steps.lockSql))) return "busy";
      return steps.run(trx, lastIds);
    });
    if (outcome !== "unfinished") return outcome;
  }
}
