/** The steps of an import, which each kind of file has its own of. */
import type { Knex } from "knex";
import { db, one, type Database } from "../../db/connection.server";
import { DomainError } from "../../errors";
import type { Imported, ImportOutcome, Stayed } from "./import";
import type { ImportCounts } from "./import-kinds";

/** Something changed since the file was checked; it is checked again. */
export class ImportOutdated extends DomainError {
  constructor() {
    super("conflict", "Something changed since the file was checked. Nothing was imported.");
  }
}

export type ImportRun = {
  importId: string;
  rows: number;
  userId: string;
  /** The undone import of the same file, whose content comes back. */
  revives: string | undefined;
  /** The number of codes at which the dry run cut campaigns. */
  maxCodes?: number | undefined;
  /** Called after each chunk with the number of rows that are done. */
  onProgress: (rows: number) => Promise<void>;
  signal: AbortSignal;
};

/** Columns of `import_rows`; those that are left out are null. */
export type StoredRow = Partial<{
  code: string | null;
  name: string;
  discount_type: string | null;
  discount_value: number | null;
  is_single_use: boolean | null;
  last_day: string | null;
  machine_serials: string[];
  group_names: string[];
  group_kind: string | null;
}>;

export type ImportSteps = {
  /** Says why the site can't import such files; null where it can. */
  whyUnavailable?: (database: Database) => Promise<string | null>;
  /**
   * @param cell returns the text of a column; '' where the file has none
   * @param today YYYY-MM-DD in the site's zone
   */
  readRow: (
    cell: (column: string) => string,
    today: string,
  ) => { row: StoredRow; error: string | null };
  /** Fills temporary tables that the rules, the preview and the import read. */
  prepare?: (trx: Knex.Transaction, importId: string) => Promise<void>;
  /**
   * Rules about rows `r` of the import `:importId`: each selects the lines that break it, with what is wrong. They know
   * `:today`, and as `:revivedId` the undone import of the same file.
   */
  rules: readonly string[];
  preview: (trx: Knex.Transaction, importId: string) => Promise<ImportOutcome>;
  /** @throws ImportOutdated; the reason of the signal */
  write: (trx: Knex.Transaction, run: ImportRun) => Promise<void>;
  /** Counts what undoing would remove now. */
  countUndoable: (importId: string) => Promise<ImportCounts>;
  /** Begins to undo. @throws DomainError conflict: nothing can be undone */
  startUndo: (trx: Knex.Transaction, importId: string) => Promise<void>;
  /**
   * Removes what the import brought, unless it is in use by now. Can be repeated.
   * @throws the reason of the signal
   */
  undo: (importId: string, signal: AbortSignal) => Promise<Stayed>;
  /** Reads at most `maxImportedShown` + 1 entries that the import brought, which tells whether there are more. */
  readImported: (importId: string) => Promise<Imported[]>;
};

export const maxImportedShown = 100;

/** Reads what rows make: their `counts`, and as `named` the first records, which `toNamed` writes. */
export async function readPreview<Named>(
  trx: Database,
  sql: string,
  bindings: { importId: string; maxCodes?: number },
  toNamed: (record: Named) => ImportOutcome["named"][number],
): Promise<ImportOutcome> {
  const row = await one<Pick<ImportOutcome, "counts"> & { named: Named[] }>(trx, sql, bindings);
  const { counts, named } = row!;
  return { counts, named: named.map(toNamed) };
}

/**
 * Makes the step that counts what undoing would remove.
 * @param sql selects `counts`
 */
export const countUndoable = (sql: string) => async (importId: string) => {
  const row = await one<{ counts: ImportCounts }>(db(), sql, { importId });
  return row!.counts;
};
