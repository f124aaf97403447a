/** Deletes what nobody needs any longer. */
import { db, query } from "./connection.server";

/** The rows of a table for which a condition holds. */
export type Leftovers = {
  table: string;
  conditionSql: string;
  /** The primary key of a table with partitions, in which a `ctid` is not unique. */
  key?: readonly string[];
};

const batch = 1_000;

/** Deletes leftovers in batches, so that nobody waits long for a lock. Rows that others have locked stay for the next time. */
export async function sweep(all: Leftovers[]): Promise<void> {
  for (const { table, conditionSql, key } of all) {
    const columns = key?.join(", ") ?? "ctid";
    const old = `select ${columns} from ${table} where ${conditionSql} limit ${batch}
      for update skip locked`;
    const isOld = key ? `(${columns}) in (${old})` : `ctid = any (array(${old}))`;
    let deleted = batch;
    while (deleted === batch) {
      const rows = await query(db(), `delete from ${table} where ${isOld} returning 1`);
      deleted = rows.length;
    }
  }
}
