/** Selections as SQL, for exports and bulk actions. */
import type { PromotionSelection } from "../lifecycle/bulk-actions";
import { clockBindings, clockSql } from "../promotion-sql.server";
import { filterSql } from "./access-paths.server";
import { generationRowsSql } from "./campaigns.server";

/**
 * A selection as a condition on the row `p` of promotions; needs `clockSql`. `parts` are the kinds
 * of rows that it can hold, each with indexes of its own.
 */
export function selectionSql(selection: PromotionSelection) {
  if (selection.kind === "matching") {
    const { sql, bindings, parts, generations } = filterSql(selection.filters);
    if (generations === undefined) return { sql, bindings, parts };
    const chosen = `select p.mass_generation_id from ${generationRowsSql} where ${generations}`;
    return {
      sql: "true",
      bindings,
      parts: parts.flatMap((part) => [
        `${part} and ${sql}`,
        `${part} and p.mass_generation_id = any(array(${chosen}))`,
      ]),
    };
  }
  const { ids, generations = [] } = selection;
  return {
    sql: `(p.id = any(cast(:ticked as bigint[]))
      or p.mass_generation_id = any(cast(:generations as bigint[])))`,
    bindings: { ticked: ids, generations },
    parts: ["not p.is_deleted", "p.is_deleted"],
  };
}

/** Returns a WITH list whose `selected` holds a column of the selection, `limit` rows of each part at most. */
export function selectedSql(selection: PromotionSelection, column: "id" | "code", limit: number) {
  const { sql, bindings, parts } = selectionSql(selection);
  const selects = parts.map(
    (part) => `(select p.${column} from promotions p where ${part} and (${sql}) limit ${limit})`,
  );
  return {
    withList: `${clockSql}, selected as materialized (${selects.join(" union all ")})`,
    bindings: { ...clockBindings(), ...bindings },
  };
}
