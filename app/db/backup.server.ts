import { createHash, createHmac } from "node:crypto";
import { Socket } from "node:net";
import pg from "pg";
import { to as copyTo } from "pg-copy-streams";
import { EnvironmentError } from "../env.server";
import { appSecret } from "./app-secret.server";
import {
  backupVersion,
  countContent,
  createBackupFile,
  type BackupHeader,
  type BackupManifest,
  type BackupWriter,
} from "./backup-file.server";
import { connectionTo } from "./connection.server";
import { acquireMigrationLock } from "./migration-lock.server";

/** The bytes of a table that are held in memory until they are written. */
const partSize = 4 * 2 ** 20;

/** How values are written, and that a table is read from its beginning, however long it takes. */
export const settingsSql = `
  set timezone = 'UTC'; set datestyle = 'ISO'; set intervalstyle = 'postgres';
  set extra_float_digits = 1; set bytea_output = 'hex';
  set synchronize_seqscans = off; set statement_timeout = 0`;

/**
 * Writes all rows of a database to a file, as they were at one moment. The database is in use meanwhile:
 * only migrations wait.
 * @returns the size of the file in bytes
 * @throws EnvironmentError if there is nothing to back up, or the file exists or can't be written
 */
export async function backUpDatabase(
  url: string,
  file: string,
): Promise<{ tables: number; rows: number; bytes: number }> {
  const socket = new Socket();
  const client = new pg.Client({
    stream: () => socket,
    ...connectionTo(url, { name: "promo-console backup" }),
  });
  // A lost connection fails the statement that runs, which reports it.
  client.on("error", () => {});
  await client.connect();
  try {
    let tables: BackupManifest["tables"] = {};
    let hasTime = false;
    const bytes = await createBackupFile(file, async (writer) => {
      ({ tables, hasTime } = await copyTables(client, writer));
    });
    // A standby can't store it, which leaves the file as good as it is.
    if (hasTime)
      await client.query("update site_settings set backed_up_at = now()").catch(() => {});
    await client.end();
    return { ...countContent(tables), bytes };
  } finally {
    // After an error, ending the session would wait for the rest of the table that is being sent.
    socket.destroy();
  }
}

/** @returns `hasTime`: whether the schema has a place for the time of the last backup */
async function copyTables(
  client: pg.Client,
  writer: BackupWriter,
): Promise<BackupManifest & { hasTime: boolean }> {
  await client.query(settingsSql);
  // A migration that rewrites a table would leave it empty for a snapshot that is older, and one that waited for the
  // tables would keep redemptions waiting behind it. The end of the session releases the lock.
  await acquireMigrationLock(client, { isShared: true });
  await client.query("begin isolation level repeatable read, read only");
  const header = await readHeader(client);
  const names = header.tables.map(({ name }) => client.escapeIdentifier(name));
  await client.query(`lock table ${names.join(", ")} in access share mode`);

  await writer.writeHeader(header);
  const manifest: BackupManifest = { tables: {}, identities: [] };
  for (const table of header.tables)
    manifest.tables[table.name] = await copyTable(client, table, writer);
  // Sequences don't belong to the snapshot: read last, they are past every row.
  manifest.identities = await readIdentities(client, header);
  await writer.writeManifest(manifest);
  await client.query("commit");
  const hasTime = header.tables.some(
    ({ name, columns }) => name === "site_settings" && columns.includes("backed_up_at"),
  );
  return { ...manifest, hasTime };
}

/**
 * The tables of the schema, each with all its partitions, but for those of extensions, and for a month beside its
 * table, which is being archived or brought back: its archive is the copy of it, and the product has no rights to it.
 */
export const tablesSql = `
  select c.oid, c.relname as name from pg_class c
  where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    and c.relname !~ '^(transactions|redemption_attempts|events)_[0-9]{4}_[0-9]{2}$'
    and not exists (select from pg_depend d
      where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')`;

export async function readHeader(client: pg.Client): Promise<BackupHeader> {
  const { rows: tables } = await client.query<BackupHeader["tables"][number]>(
    `select name, array(
       select attname::text from pg_attribute
       where attrelid = t.oid and attnum > 0 and not attisdropped and attgenerated = ''
       order by attnum) as columns,
       (select json_agg(json_build_object('name', c.relname, 'bound', pg_get_expr(c.relpartbound, c.oid),
           'options', coalesce(c.reloptions, '{}')) order by c.relname)
         from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = t.oid) as partitions
     from (${tablesSql}) t order by name`,
  );
  // Early releases called it knex_migrations.
  const migrationsTable = tables.find(({ name }) => /^(schema|knex)_migrations$/.test(name))?.name;
  const { rows: done } = migrationsTable
    ? await client.query<{ name: string }>(`select name from ${migrationsTable} order by name`)
    : { rows: [] };
  if (!migrationsTable || done.length === 0)
    throw new EnvironmentError(
      "There is nothing to back up: the database has no tables of Promo Console.",
    );
  const { rows } = await client.query<{ postgres: string; createdAt: Date }>(
    `select current_setting('server_version') as postgres, now() as "createdAt"`,
  );
  const { postgres, createdAt } = rows[0]!;
  const migrations = done.map(({ name }) => name);
  return {
    format: "promo-console backup",
    version: backupVersion,
    postgres,
    migrations,
    createdAt: createdAt.toISOString(),
    secretHash: hashOfSecret(),
    tables: tables.filter(({ name }) => !name.startsWith(migrationsTable)),
  };
}

export function hashOfSecret(): string {
  return createHmac("sha256", appSecret()).update("promo-console backup").digest("hex");
}

/** @param conditionSql limits the rows; they come in the order of the first column then */
export async function copyTable(
  client: pg.Client,
  { name, columns }: BackupHeader["tables"][number],
  writer: BackupWriter,
  conditionSql?: string,
): Promise<BackupManifest["tables"][string]> {
  const { table, list } = quoted(client, name, columns);
  const some = conditionSql ? `where ${conditionSql} order by 1` : "";
  // Rows of partitions are copied by a query only.
  const rows = client.query(copyTo(`copy (select ${list} from ${table} ${some}) to stdout`));
  const hash = createHash("sha256");
  let chunks: Buffer[] = [];
  let size = 0;
  let part = 0;
  const writePart = async () => {
    await writer.writeRows(name, ++part, Buffer.concat(chunks));
    chunks = [];
    size = 0;
  };
  for await (const chunk of rows as AsyncIterable<Buffer>) {
    hash.update(chunk);
    chunks.push(chunk);
    size += chunk.length;
    if (size >= partSize) await writePart();
  }
  if (size > 0) await writePart();
  return { rows: rows.rowCount, sha256: hash.digest("hex") };
}

export function quoted(client: pg.Client, name: string, columns: string[]) {
  const list = columns.map((column) => client.escapeIdentifier(column)).join(", ");
  return { table: client.escapeIdentifier(name), list };
}

/** Reads the last values of the tables of a backup; those of the tables of migrations are no data. */
async function readIdentities(
  client: pg.Client,
  { tables }: BackupHeader,
): Promise<BackupManifest["identities"]> {
  const { rows } = await client.query<{ table: string; column: string; sequence: string }>(
    `select t.name as table, a.attname as column,
       pg_get_serial_sequence(t.oid::regclass::text, a.attname) as sequence
     from (${tablesSql}) t join pg_attribute a on a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped
     where t.name = any($1) and pg_get_serial_sequence(t.oid::regclass::text, a.attname) is not null
     order by 1, 2`,
    [tables.map(({ name }) => name)],
  );
  const identities: BackupManifest["identities"] = [];
  for (const { table, column, sequence } of rows) {
    const { rows } = await client.query<{ lastValue: string | null }>(
      `select case when is_called then last_value end as "lastValue" from ${sequence}`,
    );
    identities.push({ table, column, lastValue: rows[0]!.lastValue });
  }
  return identities;
}
