/** Deletes what nobody needs any longer. */
import { db, query } from "./connection.server";

/** The rows of a table for which a condition holds. */
export type Leftovers = { table: string; conditionSql: string };

const batch = 1_000;

/** Deletes leftovers in batches, so that nobody waits long for a lock. */
export async function sweep(all: Leftovers[]): Promise<void> {
  for (const { table, conditionSql } of all) {
    let deleted = batch;
    while (deleted === batch) {
      const rows = await query(
        db(),
        `delete from ${table}
         where ctid = any (array(select ctid from ${table} where ${conditionSql} limit ${batch}))
         returning 1`,
      );
      deleted = rows.length;
    }
  }
}
