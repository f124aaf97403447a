import type { PromotionSelection } from "./bulk-selection";
import { filterSql } from "../list/promotion-filters.server";

type SelectionSql = {
  sql: string;
  bindings: Record<string, string | string[] | Date | null>;
  parts: readonly string[];
};

/**
 * A selection as a condition on the row `p` of promotions; needs `clockSql`. `parts` are the kinds
 * of rows that it can hold, each with indexes of its own.
 */
export function selectionSql(selection: PromotionSelection): SelectionSql {
  if (selection.kind === "matching") return filterSql(selection.filters);
  return {
    sql: "p.id = any(cast(:ticked as bigint[]))",
    bindings: { ticked: selection.ids },
    parts: ["not p.is_deleted", "p.is_deleted"],
  };
}
