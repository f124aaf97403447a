/** The partitions and rows of a month. */
import type { Knex } from "knex";
import { db, one, query } from "../../db/connection.server";
import { addConstraint, runBriefly } from "./archive-steps.server";
import { archivedTables, boundsOf, isInMonthSql } from "./archived-file.server";

/**
 * Detaching a partition changes the triggers of what it refers to. A redemption locks these tables before those with
 * partitions: in another order each would wait for the other.
 */
export async function lockReferenced(trx: Knex.Transaction): Promise<void> {
  const rows = await query<{ name: string }>(
    trx,
    `select distinct confrelid::regclass::text as name from pg_constraint
     where conrelid = 'transactions'::regclass and contype = 'f' order by 1 desc`,
  );
  await trx.raw(
    `lock table ${rows.map(({ name }) => name).join(", ")} in share row exclusive mode`,
  );
}

type Partition = { parent: string; name: string };

/** Finds the partitions that hold a month and nothing else. */
export function partitionsOf(trx: Knex, month: string): Promise<Partition[]> {
  const { from, to } = boundsOf(month);
  return query(
    trx,
    `select parent, name from table_partitions
     where begins = cast(:from as timestamptz) and ends = cast(:to as timestamptz)`,
    { from, to },
  );
}

const batch = 5_000;

/**
 * Drops a table that was a partition. Its references go one by one: each locks the table that it refers to, and together
 * they would wait for redemptions that wait for them.
 */
export async function dropDetached(table: string): Promise<void> {
  const found = await one(
    db(),
    "select 1 as found from pg_class where oid = to_regclass(:table) and not relispartition",
    { table },
  );
  if (!found) return;
  const references = await query<{ name: string }>(
    db(),
    "select conname as name from pg_constraint where conrelid = to_regclass(:table) and contype = 'f'",
    { table },
  );
  for (const { name } of references)
    await runBriefly(async (trx) => {
      await trx.raw(`alter table ${table} drop constraint ${name}`);
    });
  await db().raw(`drop table ${table}`);
}

/** The name of a partition of one month, as `make_partition` makes it. */
export const partitionName = (table: string, month: string) =>
  `${table}_${month.replace("-", "_")}`;

/**
 * Drops the partitions of an archived month, and deletes what a partition of several months has of it: the first one of a database
 * that is older than its partitions, which begins after it then.
 */
export async function removeRows(month: string): Promise<void> {
  for (const { name, time, key } of archivedTables) {
    await dropDetached(partitionName(name, month));
    for (let deleted = batch; deleted === batch;) {
      const rows = await query(
        db(),
        `delete from ${name} where (${key}) in (
           select ${key} from ${name} where ${isInMonthSql(time, month)} limit ${batch}) returning 1`,
      );
      deleted = rows.length;
    }
    await beginAfter(name, time, month);
  }
  await query(
    db(),
    "update archived_months set is_removed = true where month = cast(:first as date)",
    { first: `${month}-01` },
  );
}

async function beginAfter(parent: string, time: string, month: string): Promise<void> {
  const { from, to } = boundsOf(month);
  const partition = await one<{ name: string; ends: string }>(
    db(),
    `select name, cast(ends as text) as ends from table_partitions
     where parent = :parent and begins <= cast(:from as timestamptz) and ends > cast(:to as timestamptz)`,
    { parent, from, to },
  );
  if (!partition) return;
  const { name, ends } = partition;
  const constraint = `${parent}_begins`;
  await addConstraint(name, constraint, `check (${time} >= '${to}' and ${time} < '${ends}')`);
  await runBriefly(async (trx) => {
    await lockReferenced(trx);
    await trx.raw(`alter table ${parent} detach partition ${name};
      alter table ${parent} attach partition ${name} for values from ('${to}') to ('${ends}');
      alter table ${name} drop constraint ${constraint}`);
  });
}
