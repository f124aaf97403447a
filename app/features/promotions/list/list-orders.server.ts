/** The orders of the QR List, and the rows of a page in them. */
import {
  hasStaleUsesSql,
  statusRankSql,
  storedUsesLeftSql,
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
  used: ["p.activation_count", "p.id"],
  uses_left: [usesLeftSql, "p.created_at", "p.id"],
  status: [statusRankSql, "p.created_at", "p.id"],
};

/** Parts of all rows that are read apart because one index does not have them all in order. */
const branches: { [By in PromotionSort["by"]]?: { condition: string; columns: string[] }[] } = {
  // The calendar renews uses that the index counts as gone; these codes are found and sorted.
  uses_left: [
    { condition: `not ${hasStaleUsesSql}`, columns: [storedUsesLeftSql, "p.created_at", "p.id"] },
    { condition: hasStaleUsesSql, columns: sortColumns.uses_left },
  ],
};

/** Rows in an order, from a cursor or an offset on. */
export type Window = {
  by: PromotionSort["by"];
  isDescending: boolean;
  cursor: string | null;
  offset: number;
  rowCount: number;
};

/** Describes one row more than the page holds, so that the end is known; before a cursor in reverse order. */
export function windowOf({ perPage, page, sort, after, before }: PromotionListQuery): Window {
  const cursor = after ?? before;
  return {
    by: sort.by,
    isDescending: sort.isDescending !== (before !== null),
    cursor,
    offset: cursor === null ? (page - 1) * perPage : 0,
    rowCount: perPage + 1,
  };
}

export type PageWindow = ReturnType<typeof pageWindow>;

/** Describes the rows of a page: their order, and where in it they are. */
export function pageWindow(
  { by, isDescending, cursor, offset, rowCount }: Window,
  { view }: PromotionFilters,
) {
  const columns = sortColumns[by];
  const direction = isDescending ? "desc" : "asc";
  // The cursor is an id. The values that it is compared by are read from its row.
  const cursorValues = columns.map((column) => {
    if (column === "p.id") return "cast(:cursor as bigint)";
    const ofCode = `(select ${column} from promotions p where p.id = :cursor)`;
    if (view !== "campaigns") return ofCode;
    // The row of a generation is not in all values that of its first code.
    return `coalesce((select ${column} from ${generationRowsSql} where p.mass_generation_id = (
      select c.mass_generation_id from promotions c where c.id = :cursor)), ${ofCode})`;
  });
  const isAfter = isDescending ? "<" : ">";
  const orderBy = (columns: string[]) => ({
    order: `order by ${columns.map((column) => `${column} ${direction}`).join(", ")}`,
    afterCursor:
      cursor === null ? "true" : `(${columns.join(", ")}) ${isAfter} (${cursorValues.join(", ")})`,
  });
  return {
    ...{ cursor, offset, rowCount },
    ...orderBy(columns),
    branches: (branches[by] ?? [{ condition: "true", columns }]).map(({ condition, columns }) => ({
      condition,
      ...orderBy(columns),
    })),
    // Paths are followed in the order of creation, which the codes of a generation have from it.
    generationOrder: `order by g.created_at ${direction}, p.id ${direction}`,
    generationLimit: `limit ${offset + rowCount}`,
    isGenerationAfterCursor:
      cursor === null ? "true" : `g.created_at ${isAfter}= ${cursorValues[0]}`,
    keys: columns.map((column, index) => `${column} as key_${index}`).join(", "),
    orderByKeys: `order by ${columns.map((_, index) => `key_${index} ${direction}`).join(", ")}`,
  };
}
