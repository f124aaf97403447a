/** The file of an archived month: that of a backup, with the rows of a month. */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import type pg from "pg";
import { copyTable, readHeader, settingsSql } from "../../db/backup.server";
import {
  createBackupFile,
  damagedBackup,
  readBackupFile,
  type BackupHeader,
  type BackupManifest,
  type BackupReader,
} from "../../db/backup-file.server";
import { withHash } from "../../db/restore.server";
import { EnvironmentError } from "../../env.server";
import { addMonths } from "./month";

export type ArchivedSums = NonNullable<BackupHeader["archived"]>;

/** The tables with the column that decides the month of a row, and their primary keys. */
export const archivedTables = [
  { name: "transactions", time: "created_at", key: "id, created_at" },
  { name: "redemption_attempts", time: "created_at", key: "id, created_at" },
  { name: "events", time: "occurred_at", key: "position, occurred_at" },
] as const;

/** The first instants of a month and of the one after it, as literals. */
export function boundsOf(month: string): { from: string; to: string } {
  return { from: `${month}-01 00:00:00+00`, to: `${addMonths(month, 1)}-01 00:00:00+00` };
}

export function isInMonthSql(time: string, month: string): string {
  const { from, to } = boundsOf(month);
  return `${time} >= '${from}' and ${time} < '${to}'`;
}

/** Counts the rows of a month and sums up its money. */
export const sumsSql = (month: string) => {
  const counts = archivedTables
    .slice(1)
    .map(({ name, time }) => `(select count(*) from ${name} where ${isInMonthSql(time, month)})`);
  return `select '${month}' as month, count(*)::float8 as transactions,
      (count(*) filter (where status = 'applied'))::float8 as redemptions,
      coalesce(sum(discount) filter (where status = 'applied'), 0)::float8 as discount,
      ${counts[0]}::float8 as attempts, ${counts[1]}::float8 as events
    from transactions where ${isInMonthSql("created_at", month)}`;
};

/**
 * Writes the rows of a month, as they are at one moment, and reads them back.
 * @throws EnvironmentError if the file exists or can't be written
 */
export async function writeMonth(
  client: pg.Client,
  month: string,
  file: string,
): Promise<{ sums: ArchivedSums; sha256: string; bytes: number }> {
  await client.query(settingsSql);
  await client.query("begin isolation level repeatable read, read only");
  try {
    const { rows } = await client.query<ArchivedSums>(sumsSql(month));
    const sums = rows[0]!;
    const header = await readHeader(client);
    const tables = archivedTables.map((table) => ({
      ...table,
      columns: header.tables.find(({ name }) => name === table.name)!.columns,
    }));
    const bytes = await createBackupFile(
      file,
      async (writer) => {
        await writer.writeHeader({
          ...header,
          format: "promo-console archive",
          archived: sums,
          tables: tables.map(({ name, columns }) => ({ name, columns })),
        });
        const manifest: BackupManifest = { tables: {}, identities: [] };
        for (const table of tables)
          manifest.tables[table.name] = await copyTable(
            client,
            table,
            writer,
            isInMonthSql(table.time, month),
          );
        await writer.writeManifest(manifest);
      },
      "archive",
    );
    const written = await readMonth(file);
    if (JSON.stringify(written) !== JSON.stringify(sums)) throw damagedBackup(file, "archive");
    return { sums, sha256: await hashOf(file), bytes };
  } finally {
    await client.query("rollback");
  }
}

/** Reads the rows of a table to their end. */
type ReadTable = (
  table: BackupHeader["tables"][number],
  rows: AsyncIterable<Buffer>,
) => Promise<void>;

const skipRows: ReadTable = async (_table, rows) => {
  for await (const chunk of rows) void chunk;
};

/**
 * Reads an archive to its end.
 * @returns what it holds
 * @throws EnvironmentError if it is no archive, or damaged
 */
export async function readMonth(file: string, readTable = skipRows): Promise<ArchivedSums> {
  return readBackupFile(
    file,
    async (reader) => {
      const { archived, tables } = reader.header;
      if (!archived) throw new EnvironmentError(`${file} is not an archive of Promo Console.`);
      const hashes: Record<string, string> = {};
      for (const table of tables) hashes[table.name] = await hashRows(reader, table, readTable);
      const manifest = await reader.readManifest();
      const isWhole = tables.every(({ name }) => manifest.tables[name]?.sha256 === hashes[name]);
      if (!isWhole) throw damagedBackup(file, "archive");
      return archived;
    },
    "archive",
  );
}

/** @returns the SHA-256 of the rows of a table, which `readTable` reads to their end */
async function hashRows(
  { readRows }: BackupReader,
  table: BackupHeader["tables"][number],
  readTable: ReadTable,
): Promise<string> {
  const hash = createHash("sha256");
  await readTable(table, withHash(readRows(table.name), hash));
  return hash.digest("hex");
}

/** @returns the SHA-256 of a file in hexadecimal digits */
export async function hashOf(file: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(file), hash).catch((error: Error) => {
    throw new EnvironmentError(`The archive can't be read (${error.message}).`);
  });
  return hash.digest("hex");
}
