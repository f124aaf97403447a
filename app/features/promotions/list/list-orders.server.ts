/** The orders of the QR List, and the rows of a page in them. */
import {
  hasStaleUsesSql,
  statusRankSql,
  settledUsesLeftSql,
  usesLeftSql,
} from "../promotion-sql.server";
import { generationRowsSql } from "./campaigns.server";
import type { PromotionFilters, PromotionListQuery, PromotionSort } from "./promotion-filters";

/**
 * Columns of each sort order; the id makes it total (RULES L2). Only these names reach SQL. Each has an index but the
 * status, which is read by `readByStatus`.
 */
const sortColumns: Record<PromotionSort["by"], string[]> = {
  created: ["p.created_at", "p.id"],
  type: ["(p.mass_generation_id is null)", "p.created_at", "p.id"],
  name: ["p.name", "p.id"],
  discount_type: ["p.discount_type", "p.discount_value", "p.id"],
  discount: ["p.discount_type", "p.discount_value", "p.id"],
  expiration: ["coalesce(p.expires_at, 'infinity')", "p.id"],
  is_single_use: ["p.is_single_use", "p.created_at", "p.id"],
  is_renewable: ["p.is_renewable", "p.created_at", "p.id"],
  used: ["p.use_rank", "p.activation_count", "p.id"],
  uses_left: [usesLeftSql, "p.created_at", "p.id"],
  status: [statusRankSql, "p.created_at", "p.id"],
};

/** Ranks of uses up to this one are numbers of uses (`migrations/0039`). */
const exactRanks = 20;

/** Rows in the order of an index. They are compared with the cursor by `cursorColumns`, by default those of the order. */
type Branch = { condition: string; columns: string[]; cursorColumns?: string[] };

/** Parts of all rows that are read apart because one index does not have them all in order. */
const branches: { [By in PromotionSort["by"]]?: Branch[] } = {
  // A rank up to `exactRanks` is the number of uses; above it, codes of one rank are sorted.
  used: [
    {
      condition: `p.use_rank <= ${exactRanks}`,
      columns: ["p.use_rank", "p.id"],
      cursorColumns: ["p.use_rank", "p.id"],
    },
    { condition: `p.use_rank > ${exactRanks}`, columns: sortColumns.used },
  ],
  // Codes that are partly used, or whose uses the calendar renewed, are found and sorted.
  uses_left: [
    {
      condition: `not p.is_partly_used and not ${hasStaleUsesSql}`,
      columns: [settledUsesLeftSql, "p.created_at", "p.id"],
    },
    { condition: "p.is_partly_used", columns: sortColumns.uses_left },
    { condition: `not p.is_partly_used and ${hasStaleUsesSql}`, columns: sortColumns.uses_left },
  ],
};

/** Rows in an order, from a cursor or an offset on. */
export type ListWindow = {
  by: PromotionSort["by"];
  isDescending: boolean;
  cursor: string | null;
  offset: number;
  rowCount: number;
};

/** Describes one row more than the page holds, so that the end is known; before a cursor in reverse order. */
export function windowOf({ perPage, page, sort, after, before }: PromotionListQuery): ListWindow {
  const cursor = after ?? before;
  return {
    by: sort.by,
    isDescending: sort.isDescending !== (before !== null),
    cursor,
    offset: cursor === null ? (page - 1) * perPage : 0,
    rowCount: perPage + 1,
  };
}

export type PageSql = ReturnType<typeof pageSql>;

/** Writes the rows of a window as SQL: their order, and where in it they are. */
export function pageSql(
  { by, isDescending, cursor, offset, rowCount }: ListWindow,
  { view }: PromotionFilters,
) {
  const columns = sortColumns[by];
  const direction = isDescending ? "desc" : "asc";
  // The cursor is an id. The values that it is compared by are read from its row.
  const cursorValue = (column: string) => {
    if (column === "p.id") return "cast(:cursor as bigint)";
    const ofCode = `(select ${column} from promotions p where p.id = :cursor)`;
    if (view !== "campaigns") return ofCode;
    // The row of a generation is not in all values that of its first code.
    return `coalesce((select ${column} from ${generationRowsSql} where p.mass_generation_id = (
      select c.mass_generation_id from promotions c where c.id = :cursor)), ${ofCode})`;
  };
  const isAfter = isDescending ? "<" : ">";
  const orderBy = (columns: string[], cursorColumns = sortColumns[by]) => ({
    order: `order by ${columns.map((column) => `${column} ${direction}`).join(", ")}`,
    afterCursor:
      cursor === null
        ? "true"
        : `(${columns.join(", ")}) ${isAfter} (${cursorColumns.map(cursorValue).join(", ")})`,
  });
  return {
    cursor,
    offset,
    rowCount,
    ...orderBy(columns),
    branches: (branches[by] ?? [{ condition: "true", columns }]).map((branch: Branch) => ({
      condition: branch.condition,
      ...orderBy(branch.columns, branch.cursorColumns),
    })),
    // Paths are followed in the order of creation, which codes that were made with their generation have from it.
    generationOrder: `order by g.created_at ${direction}, p.id ${direction}`,
    generationLimit: `limit ${offset + rowCount}`,
    isGenerationAfterCursor:
      cursor === null ? "true" : `g.created_at ${isAfter}= ${cursorValue(columns[0]!)}`,
    keys: columns.map((column, index) => `${column} as key_${index}`).join(", "),
    orderByKeys: `order by ${columns.map((_, index) => `key_${index} ${direction}`).join(", ")}`,
  };
}
