/** Imports of CSV files as screens and the API show them (RULES I1). */
import { defineList } from "../../lists/list";
import { formatDateTime } from "../../format/date";
import { formatNumber } from "../../format/number";
import { paths } from "../../paths";
import { importKinds, type ImportCounts, type ImportKind } from "./import-kinds";

/** Bytes of a file. */
export const maxImportBytes = 200_000_000;

/** Rows of a file, below its column names. */
export const maxImportRows = 5_000_000;

/** Files of a person that are kept while nobody confirms them. */
export const maxUnconfirmedImports = 10;

export const importStates = {
  checking: "Checking",
  checked: "Not imported yet",
  importing: "Importing",
  imported: "Imported",
  undoing: "Being undone",
  undone: "Undone",
};
export type ImportState = keyof typeof importStates;

export type ImportOutcome = {
  /** Numbers and names of the records that the rows create. */
  counts: ImportCounts;
  /** The first of it. */
  named: { name: string; note: string }[];
  /** The import that was undone, whose content comes back. */
  revives?: string;
  /** The number of codes at which the dry run cut campaigns. */
  maxCodes?: number;
  /** Records that an undone import left, because they are in use. */
  stayed?: Stayed;
};

export type Stayed = { count: number; named: { name: string; reason: string }[] };

/** Entries that are named of what rows make, and of what stays. */
export const maxNamed = 10;

/** Something that an import brought, with the address of its page. */
export type Imported = { name: string; note: string; to: string };

export type Import = {
  id: string;
  kind: ImportKind;
  state: ImportState;
  fileName: string;
  rows: number;
  wrongRows: number;
  /** Rows that are done in the present step. */
  position: number;
  outcome: ImportOutcome | null;
  createdAt: Date;
  createdBy: string | null;
  importedAt: Date | null;
  /** Whether it was imported within a day. */
  canUndo: boolean;
};

export const importList = defineList({
  path: paths.imports,
  pageSizes: [25, 50, 100],
  sorts: { created: "descending" },
});

export type ImportView = ReturnType<typeof toImportView>;

/** @param timeZone the site's IANA zone */
export function toImportView(item: Import, timeZone: string) {
  const { id, kind, state, fileName, wrongRows, canUndo } = item;
  const isWrong = state === "checked" && wrongRows > 0;
  return {
    id,
    kind,
    state,
    fileName,
    wrongRows,
    canUndo,
    kindLabel: importKinds[kind].label,
    stateLabel: isWrong ? "Has errors" : importStates[state],
    rows: formatNumber(item.rows),
    created: formatDateTime(item.createdAt, timeZone),
    createdBy: item.createdBy ?? "Unknown",
    isRunning: ["checking", "importing", "undoing"].includes(state),
  };
}
