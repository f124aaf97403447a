/** Imports of CSV files as screens and the API show them (RULES I1). */
import { defineList } from "../../lists/list";
import { formatDateTime } from "../../format/date";
import { countOf, formatNumber } from "../../format/number";
import { formatCodes, formatDiscount } from "../../format/promotion";
import { paths } from "../../paths";
import type { DiscountType } from "../promotions/promotion";

type ImportColumn = { name: string; isRequired?: boolean; help: string; example: string };

type Kind = {
  label: string;
  /** Names the thing that a row describes. */
  noun: string;
  isForAdmins?: boolean;
  columns: readonly ImportColumn[];
};

const machines = {
  name: "machines",
  help: "Serial numbers, with commas between them",
  example: "",
};
const groups = { name: "groups", help: "Names of machine groups, in the same way", example: "" };

/** Kinds of files, with their columns. */
export const importKinds = {
  codes: {
    label: "Printed codes",
    noun: "code",
    columns: [
      {
        name: "code",
        isRequired: true,
        help: "8 to 32 letters and digits; spaces and dashes are ignored",
        example: "SUMMER-0001",
      },
      { name: "name", isRequired: true, help: "At most 200 characters", example: "Summer 2027" },
      { name: "discount", isRequired: true, help: "A percentage, or 'free drink'", example: "20%" },
      {
        name: "uses",
        isRequired: true,
        help: "'single', 'unlimited', or the number of free drinks",
        example: "single",
      },
      { name: "expiration", help: "The last day, such as 31/12/2027", example: "31/12/2027" },
      machines,
      groups,
    ],
  },
} as const satisfies Record<string, Kind>;

export type ImportKind = keyof typeof importKinds;

export function kindOf(kind: ImportKind): Kind {
  return importKinds[kind];
}

export function isImportKind(text: string): text is ImportKind {
  return Object.hasOwn(importKinds, text);
}

/** Bytes of a file. */
export const maxImportBytes = 200_000_000;

export const importStates = {
  checking: "Checking",
  checked: "Not imported yet",
  importing: "Importing",
  imported: "Imported",
  undoing: "Being undone",
  undone: "Undone",
};
export type ImportState = keyof typeof importStates;

/** Campaigns that a file makes, or has made. */
export type ImportOutcome = {
  generations: number;
  generationCodes: number;
  singles: number;
  /** The first of them. */
  named: {
    name: string;
    codes: number;
    discountType: DiscountType;
    discountValue: number;
  }[];
  /** The import that was undone, whose codes come back. */
  revives?: string;
  /** Codes that were redeemed while they were being undone, and stay. */
  stayed?: number;
};

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
    ...{ id, kind, state, fileName, wrongRows, canUndo },
    kindLabel: importKinds[kind].label,
    stateLabel: isWrong ? "Has errors" : importStates[state],
    rows: formatNumber(item.rows),
    created: formatDateTime(item.createdAt, timeZone),
    createdBy: item.createdBy ?? "Unknown",
    isRunning: isRunning(state),
  };
}

export function isRunning(state: ImportState): boolean {
  return state === "checking" || state === "importing" || state === "undoing";
}

/** Says what the rows of a file make: '2 mass generations with 200 codes and 3 single codes'. */
export function describeOutcome({ generations, generationCodes, singles }: ImportOutcome): string {
  const mass = `${countOf(generations, "mass generation")} with ${formatCodes(generationCodes)}`;
  const single = countOf(singles, "single code");
  if (generations === 0) return single;
  return singles === 0 ? mass : `${mass} and ${single}`;
}

/** Names a campaign, and what it is. */
export function describeNamed({
  name,
  codes,
  discountType,
  discountValue,
}: ImportOutcome["named"][number]): [name: string, codes: string] {
  return [name, `${formatCodes(codes)}, ${formatDiscount(discountType, discountValue)}`];
}
