import { createHash, type Hash } from "node:crypto";
import { PassThrough } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Knex } from "knex";
import pg from "pg";
import { from as copyFrom } from "pg-copy-streams";
import { EnvironmentError } from "../env.server";
import { hashOfSecret, quoted, tablesSql } from "./backup.server";
import {
  backupVersion,
  countContent,
  damagedBackup,
  readBackupFile,
  type BackupManifest,
  type BackupReader,
} from "./backup-file.server";
import { withBaseline } from "./baseline.server";
import { knownMigrations, migrate, runMigrations } from "./migrate.server";
import { withMigrationLock } from "./migration-lock.server";
import { pauseOutgoing } from "./outgoing.server";

type RestoredBackup = {
  createdAt: Date;
  tables: number;
  rows: number;
  /** Tables of other programs, which the backup holds because they were in the same schema. */
  leftOut: string[];
  /** Whether sessions, tokens and keys work with this APP_SECRET. */
  hasSameSecret: boolean;
};

/**
 * Fills an empty database with a backup, brings it to the schema of this release and pauses what it would send. All
 * of it is one transaction: a restore that is killed or fails leaves the database empty.
 * @param open returns the address of the database, with a role that may create tables; called once the file is one that
 *   can be restored
 * @param appRole the role of the product, if it is another one
 * @param onStored called once all rows are stored; what follows can be left out
 * @throws EnvironmentError if the database isn't empty, or the file can't be restored by this release
 */
export async function restoreDatabase(
  open: () => string | Promise<string>,
  file: string,
  appRole: string | null,
  onStored: () => void = () => {},
): Promise<RestoredBackup> {
  return readBackupFile(file, async (reader) => {
    const { header } = reader;
    const known = await knownMigrations();
    const names = withBaseline(header.migrations);
    if (names === null)
      throw new EnvironmentError(
        `${file} is of an early release, which this one can't restore. Restore it with the last release before 1.0.0, back that up, and restore the new file.`,
      );
    if (header.version > backupVersion || names.some((name) => !known.includes(name)))
      throw new EnvironmentError(
        `${file} was made by a newer release of Promo Console. Restore it with that release, or a later one.`,
      );
    return withMigrationLock(await open(), async (database) => {
      const client = database.client as Knex.Client;
      const connection = (await client.acquireConnection()) as pg.Client;
      try {
        const restored = await database.transaction(
          async (trx) => {
            await assertEmpty(connection);
            // Indexes that a migration would build concurrently are built at once: nobody uses the tables yet.
            await runMigrations(
              trx,
              known.filter((name) => names.includes(name)),
            );
            const filled = await fill(connection, reader, file);
            await migrate(trx, null);
            await pauseOutgoing(trx);
            return filled;
          },
          { connection },
        );
        onStored();
        await migrate(database, appRole);
        // Without it the first lists would be slow until autovacuum has visited each table.
        await connection.query("vacuum (analyze)");
        return restored;
      } finally {
        await client.releaseConnection(connection);
      }
    });
  });
}

async function assertEmpty(connection: pg.Client): Promise<void> {
  const { rowCount } = await connection.query(tablesSql);
  if (rowCount)
    throw new EnvironmentError(
      `The database is not empty, it has ${rowCount} tables. A backup is restored into a new database: choose a DATA_DIR that does not exist yet, or give the DATABASE_URL of an empty database.`,
    );
}

/**
 * Indexes and references between tables. Made after the rows, they cost a fraction of the time, and no
 * order of the tables matters. Triggers rest: the backup holds what they have done.
 */
const dependentsSql = `
  select 1 as place,
    format('alter table %s drop constraint %I', conrelid::regclass, conname) as "dropSql",
    format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(f.oid))
      as "createSql"
  from (${tablesSql}) t join pg_constraint f on f.conrelid = t.oid and f.contype = 'f'
  union all
  select 2, format('drop index %s', indexrelid::regclass),
    replace(pg_get_indexdef(indexrelid), ' ON ONLY ', ' ON ')
  from (${tablesSql}) t join pg_index i on i.indrelid = t.oid
  where not exists (select from pg_constraint
    where conindid = i.indexrelid and contype in ('p', 'u', 'x'))
  union all
  select distinct 3, format('alter table %s disable trigger user', t.oid::regclass),
    format('alter table %s enable trigger user', t.oid::regclass)
  from (${tablesSql}) t join pg_trigger g on g.tgrelid = t.oid and not g.tgisinternal
  order by place`;

/** Fills the tables, which the migrations have just made, in the transaction of the connection. */
async function fill(
  connection: pg.Client,
  { header, readRows, readManifest }: BackupReader,
  file: string,
): Promise<RestoredBackup> {
  const { rows: tables } = await connection.query<{ name: string }>(tablesSql);
  const existing = new Set(tables.map(({ name }) => name));
  for (const table of header.tables) await restorePartitions(connection, table);
  const { rows: dependents } = await connection.query<{ dropSql: string; createSql: string }>(
    dependentsSql,
  );
  for (const { dropSql } of dependents) await connection.query(dropSql);

  const restored: BackupManifest["tables"] = {};
  const leftOut: string[] = [];
  for (const { name, columns } of header.tables) {
    const hash = createHash("sha256");
    const rows = withHash(readRows(name), hash);
    if (!existing.has(name)) {
      leftOut.push(name);
      await pipeline(rows, new PassThrough().resume());
      continue;
    }
    await removeRows(connection, name);
    const { table, list } = quoted(connection, name, columns);
    const copy = connection.query(copyFrom(`copy ${table} (${list}) from stdin`));
    await pipeline(rows, copy).catch((error: unknown) => {
      throw isBadData(error) ? damagedBackup(file) : error;
    });
    restored[name] = { rows: copy.rowCount, sha256: hash.digest("hex") };
  }

  const manifest = await readManifest();
  for (const [name, { rows, sha256 }] of Object.entries(restored)) {
    const expected = manifest.tables[name];
    if (expected?.rows !== rows || expected.sha256 !== sha256) throw damagedBackup(file);
  }
  for (const { table, column, lastValue } of manifest.identities)
    if (lastValue !== null && restored[table])
      await connection.query("select setval(pg_get_serial_sequence($1, $2), $3)", [
        connection.escapeIdentifier(table),
        column,
        lastValue,
      ]);
  await connection.query("set local maintenance_work_mem = '256MB'");
  for (const { createSql } of dependents.reverse()) await connection.query(createSql);

  return {
    ...countContent(restored),
    createdAt: new Date(header.createdAt),
    leftOut,
    hasSameSecret: header.secretHash === hashOfSecret(),
  };
}

/** Gives a table the partitions that it had in the backup, in place of those of today. */
async function restorePartitions(
  connection: pg.Client,
  { name, partitions }: BackupReader["header"]["tables"][number],
): Promise<void> {
  if (!partitions) return;
  const { rows } = await connection.query<{ partition: string }>(
    "select inhrelid::regclass::text as partition from pg_inherits where inhparent = to_regclass($1)",
    [connection.escapeIdentifier(name)],
  );
  if (rows.length === 0) return;
  for (const { partition } of rows) await connection.query(`drop table ${partition}`);
  const parent = connection.escapeIdentifier(name);
  for (const { name: partition, bound, options } of partitions)
    await connection.query(
      `create table ${connection.escapeIdentifier(partition)} partition of ${parent} ${bound}
       ${options.length > 0 ? `with (${options.join(", ")})` : ""}`,
    );
}

/** Whether the database rejected a value or a row. */
export function isBadData(error: unknown): boolean {
  return error instanceof pg.DatabaseError && /^2[23]/.test(error.code ?? "");
}

export async function* withHash(chunks: AsyncIterable<Buffer>, hash: Hash): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    hash.update(chunk);
    yield chunk;
  }
}

/** Removes what migrations have put into a table. Without rows, the audit log would refuse even that. */
async function removeRows(connection: pg.Client, table: string): Promise<void> {
  const name = connection.escapeIdentifier(table);
  const { rowCount } = await connection.query(`select from ${name} limit 1`);
  if (rowCount) await connection.query(`delete from ${name}`);
}
