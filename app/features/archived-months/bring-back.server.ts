/** Attaches an archived month to the database again. */
import type pg from "pg";
import { pipeline } from "node:stream/promises";
import { from as copyFrom } from "pg-copy-streams";
import { quoted } from "../../db/backup.server";
import { damagedBackup } from "../../db/backup-file.server";
import { db, query } from "../../db/connection.server";
import { isBadData } from "../../db/restore.server";
import { EnvironmentError } from "../../env.server";
import { recordAction, systemActor } from "../activity/audit-log.server";
import {
  addConstraint,
  assertArchiveOf,
  assertSummedUp,
  findArchived,
  runBriefly,
  withArchiveLock,
} from "./archive-steps.server";
import {
  archivedTables,
  boundsOf,
  isInMonthSql,
  readMonth,
  type ArchivedSums,
} from "./archived-file.server";
import { dropDetached, partitionName, removeRows } from "./month-rows.server";
import { monthName } from "./month";

const autovacuum = `autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_vacuum_scale_factor = 0.05,
  autovacuum_analyze_scale_factor = 0.02`;

/**
 * Fills tables beside those of the product with the rows of an archive, checks them, and attaches them.
 * @param url of a role that owns the tables, to which `db()` is connected too
 * @throws EnvironmentError if the file is not the archive of a month that is archived
 */
export function bringBack(url: string, file: string): Promise<ArchivedSums> {
  return withArchiveLock(url, async (client) => {
    const sums = await readMonth(file);
    const { month } = sums;
    const name = monthName(month);
    const archived = await findArchived(month);
    if (!archived)
      throw new EnvironmentError(`${name} is not archived: its rows are in the database.`);
    await assertArchiveOf(archived, month, file);
    if (!archived.isRemoved) await removeRows(month);

    await fillTables(client, month, file);
    await runBriefly(async (trx) => {
      await assertSummedUp(trx);
      const { from, to } = boundsOf(month);
      for (const table of archivedTables) {
        const partition = partitionName(table.name, month);
        await trx.raw(`alter table ${table.name} attach partition ${partition}
          for values from ('${from}') to ('${to}');
          alter table ${partition} drop constraint ${table.name}_month`);
      }
      await query(trx, "delete from archived_months where month = cast(:first as date)", {
        first: `${month}-01`,
      });
      await recordAction(trx, systemActor, "site.month_brought_back", "1", {
        covered: 0,
        details: { month, sha256: archived.sha256 },
      });
    });
    return sums;
  });
}

async function fillTables(client: pg.Client, month: string, file: string): Promise<void> {
  for (const { name, time } of archivedTables) {
    const partition = partitionName(name, month);
    // A killed predecessor may have left it.
    await dropDetached(partition);
    await client.query(`create table ${partition} (like ${name} including all,
      constraint ${name}_month check (${isInMonthSql(time, month)})) with (${autovacuum})`);
  }
  await readMonth(file, async ({ name, columns }, rows) => {
    const { list } = quoted(client, name, columns);
    const copy = client.query(copyFrom(`copy ${partitionName(name, month)} (${list}) from stdin`));
    await pipeline(rows, copy).catch((error: unknown) => {
      throw isBadData(error) ? damagedBackup(file, "archive") : error;
    });
  });
  for (const { name } of archivedTables) {
    const partition = partitionName(name, month);
    await addForeignKeys(name, partition);
    await client.query(`analyze ${partition}`);
  }
}

async function addForeignKeys(table: string, partition: string): Promise<void> {
  const keys = await query<{ name: string; definition: string }>(
    db(),
    `select conname as name, pg_get_constraintdef(oid) as definition from pg_constraint
     where conrelid = cast(:table as regclass) and contype = 'f'`,
    { table },
  );
  for (const { name, definition } of keys) await addConstraint(partition, name, definition);
}
