/** Reads a file into the table of rows, as it arrives. Nothing else is written before the import is confirmed (RULES I1). */
import { createHash, type Hash } from "node:crypto";
import type { Knex } from "knex";
import { unguardedText } from "../../codec/csv.server";
import { readCsv, CsvError, type CsvRow } from "../../codec/csv-reader.server";
import { db, one, query } from "../../db/connection.server";
import { addJob } from "../../db/jobs.server";
import { wakeJobs } from "../../db/job-runner.server";
import { siteToday } from "../../db/site.server";
import { allowLongStatements } from "../../db/timeouts.server";
import { invalidFields } from "../../errors";
import { isStorableText, truncate } from "../../forms/storable-text";
import { formatNumber } from "../../format/number";
import type { Actor } from "../activity/audit-log.server";
import { withIdempotency } from "../activity/idempotency.server";
import { requestedImportsSql } from "../approvals/approvals.server";
import { maxImportBytes, maxImportRows, maxUnconfirmedImports } from "./import";
import { importKinds, type ImportKind } from "./import-kinds";
import { importSteps } from "./kinds/steps.server";

/** Rows that are written at once. */
const batchRows = 500;

/** Cells of the first row; comparing more names with each other would block the process. */
const maxColumns = 100;

type Upload = {
  kind: ImportKind;
  fileName: string;
  bytes: AsyncIterable<Uint8Array>;
  maxRows?: number;
};

/**
 * Stores the rows of a file, and adds the job that checks them. Older files of the person that nobody confirmed are
 * deleted.
 * @returns the id of the import
 * @throws DomainError invalid: the file can't be read, or its columns are wrong; conflict: the key was used for
 *   another file
 */
export async function stageImport(
  { kind, fileName, bytes, maxRows = maxImportRows }: Upload,
  { actor, idempotencyKey }: { actor: Actor; idempotencyKey: string | null },
): Promise<{ id: string; wasReplayed: boolean }> {
  const hasName = isStorableText(fileName) && fileName !== "";
  const storedName = hasName ? truncate(fileName, 200) : "import.csv";
  const staged = await one<{ id: string }>(
    db(),
    `insert into imports (kind, file_name, created_by) values (:kind, :fileName, :userId) returning id`,
    { kind, userId: actor.id, fileName: storedName },
  );
  const { id } = staged!;
  const source = bytes[Symbol.asyncIterator]();
  try {
    const { rows, sha256 } = await stageRows({ id, kind, maxRows }, source);
    const request = {
      userId: actor.id,
      key: idempotencyKey,
      input: { kind, sha256: sha256.toString("hex") },
    };
    const { result, wasReplayed } = await withIdempotency(db(), request, async (trx) => {
      await query(
        trx,
        "update imports set state = 'checking', rows = :rows, sha256 = :sha256 where id = :id",
        { id, rows, sha256 },
      );
      await addJob(trx, { kind: "import_check", subject: id });
      await deleteUnconfirmed(trx, actor.id);
      return { importId: id };
    });
    if (wasReplayed) await deleteUnstored(id);
    else wakeJobs();
    return { id: result.importId, wasReplayed };
  } catch (cause) {
    await deleteUnstored(id);
    await drain(source);
    throw cause instanceof CsvError ? invalidFields({ file: cause.message }) : cause;
  }
}

async function stageRows(
  { id, kind, maxRows }: { id: string; kind: ImportKind; maxRows: number },
  source: AsyncIterator<Uint8Array>,
) {
  const [hash, today] = [createHash("sha256"), await siteToday()];
  let columns: Columns | null = null;
  let rows = 0;
  let batch: object[] = [];
  const store = async () => {
    await insertRows(id, batch);
    rows += batch.length;
    batch = [];
  };
  for await (const piece of readCsv(hashed(source, hash))) {
    columns ??= columnsOf(kind, piece.shift()!.cells);
    for (const row of piece) {
      // Spreadsheets write rows of separators alone.
      if (row.cells.every((cell) => cell.trim() === "")) continue;
      if (rows + batch.length === maxRows)
        throw invalidFields({
          file: `A file has at most ${formatNumber(maxRows)} rows. Divide it into several files.`,
        });
      batch.push(readRow(kind, row, columns, today));
      if (batch.length === batchRows) await store();
    }
  }
  if (batch.length > 0) await store();
  if (columns === null) throw invalidFields({ file: "Choose a CSV file that is not empty" });
  if (rows === 0) throw invalidFields({ file: "The file has no rows below its column names" });
  return { rows, sha256: hash.digest() };
}

/** Passes bytes on, without ending their source when the reader stops. */
async function* hashed(source: AsyncIterator<Uint8Array>, hash: Hash): AsyncGenerator<Uint8Array> {
  let size = 0;
  for (;;) {
    const { done, value } = await source.next();
    if (done) return;
    size += value.length;
    if (size > maxImportBytes) throw invalidFields({ file: "File is too big." });
    hash.update(value);
    yield value;
  }
}

/** Reads the rest of a file: a browser shows no answer before it has sent all of it. */
async function drain(source: AsyncIterator<Uint8Array>): Promise<void> {
  let size = 0;
  try {
    for (;;) {
      const { done, value } = await source.next();
      if (done || (size += value.length) > maxImportBytes) return;
    }
  } catch {
    // The client has gone.
  }
}

type Columns = {
  count: number;
  /** Returns the cell of a row in a column; '' if the file has none. */
  cellOf: (row: CsvRow, column: string) => string;
};

/** @throws DomainError invalid: columns are unknown, missing or doubled */
function columnsOf(kind: ImportKind, firstRow: readonly string[]): Columns {
  const { columns } = importKinds[kind];
  // Spreadsheets write columns whose cells were cleared, too.
  const heading = firstRow.slice(0, firstRow.findLastIndex((name) => name.trim() !== "") + 1);
  const known = columns.map(({ name }) => name);
  const rule = `The first row has to name the columns: ${known.join(", ")}.`;
  if (heading.length > maxColumns)
    throw invalidFields({ file: `The first row has more than ${maxColumns} cells. ${rule}` });
  const names = heading.map((name) => name.trim().toLowerCase().replace(/[ -]/g, "_"));
  const quote = (list: readonly string[]) => list.map((name) => `'${name}'`).join(", ");
  const missing = columns.filter(({ name, isRequired }) => isRequired && !names.includes(name));
  const doubled = [...new Set(names)].filter(
    (name) => names.indexOf(name) !== names.lastIndexOf(name),
  );
  const unknown = heading.filter((_, index) => !known.includes(names[index]!));
  const errors = [
    missing.length > 0 && `Columns are missing: ${quote(missing.map(({ name }) => name))}`,
    unknown.length > 0 && `Columns are not known: ${quote(unknown.slice(0, 10))}`,
    doubled.length > 0 && `Columns stand twice: ${quote(doubled)}`,
  ].filter((error) => error !== false);
  if (errors.length > 0)
    throw invalidFields({ file: `${errors.join(". ")}. ${rule}`.slice(0, 1_000) });
  const places = new Map(names.map((name, index) => [name, index]));
  const cellOf = ({ cells }: CsvRow, column: string) => {
    const place = places.get(column);
    return place === undefined ? "" : unguardedText(cells[place] ?? "");
  };
  return { count: names.length, cellOf };
}

function readRow(kind: ImportKind, row: CsvRow, { count, cellOf }: Columns, today: string): object {
  const { line } = row;
  const cells = importKinds[kind].columns.map(({ name }) => cellOf(row, name).trim());
  const entry = truncate(cells.find((text) => text !== "") ?? "", 100);
  if (!row.cells.every(isStorableText)) {
    const problem = "This row contains characters that cannot be stored";
    return { line, entry: entry.replaceAll("\0", ""), problem };
  }
  if (row.cells.slice(count).some((text) => text.trim() !== "")) {
    const problem = "This row has more cells than the file has columns. Put a list in quotes";
    return { line, entry, problem };
  }
  const { row: values, error } = importSteps[kind].readRow((column) => cellOf(row, column), today);
  return error === null ? { line, entry, ...values } : { line, entry, problem: error };
}

const columnsSql =
  "line, entry, problem, code, name, discount_type, discount_value, is_single_use, last_day, machine_serials, group_names, group_kind";

/** One parameter for all rows: arrays of so many values would cost more to write than to store. */
async function insertRows(id: string, rows: readonly object[]): Promise<void> {
  await query(
    db(),
    `insert into import_rows (import_id, ${columnsSql})
     select :id, ${columnsSql}
     from json_populate_recordset(cast(null as import_rows), cast(:rows as json))`,
    { id, rows: JSON.stringify(rows) },
  );
}

/**
 * Deletes the files of a person that nobody confirmed, except the newest and those that wait for a second admin. A file
 * that is being checked or confirmed is locked, and left to the next upload.
 */
async function deleteUnconfirmed(trx: Knex.Transaction, userId: string): Promise<void> {
  await allowLongStatements(trx);
  await query(
    trx,
    `delete from imports where id = any(array(
       select id from imports where id in (
         select id from imports
         where created_by = :userId and state in ('checking', 'checked') and id <> all(${requestedImportsSql})
         order by id desc offset ${maxUnconfirmedImports})
       for update skip locked))`,
    { userId },
  );
}

/** Deletes an import unless it was stored. If the answer to its commit was lost, its idempotency key leads to it. */
async function deleteUnstored(id: string): Promise<void> {
  await db().transaction(async (trx) => {
    await allowLongStatements(trx);
    await query(trx, "delete from imports where id = :id and state = 'reading'", { id });
  });
}
