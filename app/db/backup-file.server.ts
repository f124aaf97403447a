import { randomBytes } from "node:crypto";
import { createReadStream, createWriteStream, existsSync, rmSync } from "node:fs";
import { open, rename, stat } from "node:fs/promises";
import path from "node:path";
import type { Writable } from "node:stream";
import { text } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";
import { extract, pack } from "tar-stream";
import * as z from "zod";
import { EnvironmentError } from "../env.server";

/**
 * The file of a backup: a compressed tar archive that begins with `backup.json`, which says how to read
 * it, goes on with the rows of each table as PostgreSQL's COPY writes them, in parts, and ends with
 * `manifest.json`, which says what must have been read.
 */

const header = z.object({
  format: z.enum(["promo-console backup", "promo-console archive"]),
  /** Raised when an earlier release can't read the file. */
  version: z.number(),
  createdAt: z.iso.datetime(),
  postgres: z.string(),
  /** The migrations that had run: the version of the schema. */
  migrations: z.array(z.string()),
  /** Tells whether APP_SECRET is the same; null in backups of early releases. */
  secretHash: z.string().nullable(),
  /** Tells the month of an archive with its sums; its tables hold the rows of that month only. */
  archived: z.optional(
    z.object({
      /** As YYYY-MM. */
      month: z.string(),
      transactions: z.number(),
      redemptions: z.number(),
      /** Cents. */
      discount: z.number(),
      attempts: z.number(),
      events: z.number(),
    }),
  ),
  tables: z.array(
    z.object({
      name: z.string(),
      columns: z.array(z.string()),
      /** The partitions with their bounds as PostgreSQL writes them; null of a table without any. */
      partitions: z.nullish(
        z.array(z.object({ name: z.string(), bound: z.string(), options: z.array(z.string()) })),
      ),
    }),
  ),
});
type FileKind = "backup" | "archive";

const manifest = z.object({
  tables: z.record(z.string(), z.object({ rows: z.number(), sha256: z.string() })),
  /** The last value that the sequence of each column has given out; null if none. */
  identities: z.array(
    z.object({ table: z.string(), column: z.string(), lastValue: z.string().nullable() }),
  ),
});

export type BackupHeader = z.infer<typeof header>;
export type BackupManifest = z.infer<typeof manifest>;

export function countContent(tables: BackupManifest["tables"]): { tables: number; rows: number } {
  const counts = Object.values(tables).map(({ rows }) => rows);
  return { tables: counts.length, rows: counts.reduce((sum, rows) => sum + rows, 0) };
}

/** The version of the format that this release writes, and the newest that it reads. */
export const backupVersion = 1;

const headerName = "backup.json";
const manifestName = "manifest.json";
const unfinished = ".part";

export type BackupWriter = {
  writeHeader: (content: BackupHeader) => Promise<void>;
  /** @param part counts from 1 */
  writeRows: (table: string, part: number, content: Buffer) => Promise<void>;
  writeManifest: (content: BackupManifest) => Promise<void>;
};

/**
 * Creates the file of a backup. Until all of it is on the disk it has another name.
 * @returns the size of the file in bytes
 * @throws EnvironmentError if the file exists, has the name of an unfinished one or can't be written
 */
export async function createBackupFile(
  file: string,
  write: (writer: BackupWriter) => Promise<void>,
  kind: FileKind = "backup",
): Promise<number> {
  if (file.endsWith(unfinished))
    throw new EnvironmentError(
      `Choose another name than ${file}: ${unfinished} marks a file that is not finished.`,
    );
  assertAbsent(file, kind);
  const draft = `${file}.${randomBytes(4).toString("hex")}${unfinished}`;
  const removeDraft = () => rmSync(draft, { force: true });
  process.once("exit", removeDraft);
  let sourceError: unknown = null;
  try {
    await writeArchive(draft, (writer) =>
      write(writer).catch((error: unknown) => {
        sourceError = error;
        throw error;
      }),
    );
    assertAbsent(file, kind);
    await rename(draft, file);
    await syncFolder(path.dirname(file));
    return (await stat(file)).size;
  } catch (error) {
    removeDraft();
    throw isFileError(error) && error !== sourceError
      ? new EnvironmentError(`The ${kind} can't be written (${error.message}).`)
      : error;
  } finally {
    process.off("exit", removeDraft);
  }
}

function assertAbsent(file: string, kind: FileKind): void {
  if (existsSync(file))
    throw new EnvironmentError(
      `${file} already exists, and ${kind === "backup" ? "a backup" : "an archive"} never replaces a file. Choose another name.`,
    );
}

async function writeArchive(
  file: string,
  write: (writer: BackupWriter) => Promise<void>,
): Promise<void> {
  const archive = pack();
  const add = (name: string, content: Buffer | string) =>
    new Promise<void>((resolve, reject) => {
      archive.entry({ name, mode: 0o600 }, content, (error) => (error ? reject(error) : resolve()));
    });
  const saving = pipeline(
    archive,
    createGzip(),
    createWriteStream(file, { flags: "wx", mode: 0o600, flush: true }),
  );
  const writing = write({
    writeHeader: (content) => add(headerName, JSON.stringify(content)),
    writeRows: (table, part, content) =>
      add(`${rowsFolder(table)}${String(part).padStart(6, "0")}.copy`, content),
    writeManifest: (content) => add(manifestName, JSON.stringify(content)),
  }).then(
    () => archive.finalize(),
    (error: Error) => archive.destroy(error),
  );
  // A file that can't be written ends the writing too, with an error that says less.
  const [saved] = await Promise.allSettled([saving, writing]);
  if (saved.status === "rejected") throw saved.reason;
}

/** Makes the new name of a file survive a power cut. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  await handle.sync().finally(() => handle.close());
}

export type BackupReader = {
  header: BackupHeader;
  /** Reads the rows of a table. Tables are read in the order of the header, each to its end. */
  readRows: (table: string) => AsyncGenerator<Buffer>;
  /** Reads what follows the last table. After it the whole file has been read. */
  readManifest: () => Promise<BackupManifest>;
};

/** @throws EnvironmentError if the file is not a backup, is damaged or can't be read */
export async function readBackupFile<Result>(
  file: string,
  read: (reader: BackupReader) => Promise<Result>,
  kind: FileKind = "backup",
): Promise<Result> {
  const aKind = kind === "backup" ? "a backup" : "an archive";
  if (file.endsWith(unfinished))
    throw new EnvironmentError(`${file} is ${aKind} that was not finished. Use another ${kind}.`);
  const archive = extract();
  const opening = pipeline(createReadStream(file), createGunzip(), archive as unknown as Writable);
  // The entries report the same error.
  opening.catch(() => {});
  const entries = archive[Symbol.asyncIterator]();
  let entry: Awaited<ReturnType<typeof entries.next>>["value"] | null = null;
  let hasHeader = false;

  const explain = (error: unknown) => {
    if (isFileError(error))
      return new EnvironmentError(`The ${kind} can't be read (${error.message}).`);
    return hasHeader
      ? damagedBackup(file, kind)
      : new EnvironmentError(`${file} is not ${aKind} of Promo Console.`);
  };
  const readNext = async () => {
    const { value, done } = await entries.next();
    entry = done ? null : value;
  };
  const readJson = async <Content>(name: string, schema: z.ZodType<Content>): Promise<Content> => {
    try {
      if (name === headerName) await readNext();
      if (entry?.header.name !== name) throw new Error(`${name} is missing`);
      const content = schema.parse(JSON.parse(await text(entry)));
      await readNext();
      return content;
    } catch (error) {
      throw explain(error);
    }
  };

  try {
    const content = await readJson(headerName, header);
    if (content.format !== `promo-console ${kind}`) throw explain(new Error(content.format));
    hasHeader = true;
    return await read({
      header: content,
      async *readRows(table) {
        try {
          while (entry?.header.name.startsWith(rowsFolder(table))) {
            for await (const chunk of entry) yield chunk as Buffer;
            await readNext();
          }
        } catch (error) {
          throw explain(error);
        }
      },
      async readManifest() {
        const content = await readJson(manifestName, manifest);
        await opening.catch((error) => Promise.reject(explain(error)));
        return content;
      },
    });
  } finally {
    archive.destroy();
  }
}

export function damagedBackup(file: string, kind: FileKind = "backup"): EnvironmentError {
  return new EnvironmentError(
    `${file} is damaged or not complete. Nothing was restored; use another ${kind}.`,
  );
}

function rowsFolder(table: string): string {
  return `tables/${table}/`;
}

function isFileError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && "syscall" in error;
}
