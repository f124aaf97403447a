/** Totals of lists of codes that need no counting, because the summary or a campaign has them (RULES L4). */
import { db, one } from "../../db/connection.server";
import { filtersToParams, type PromotionFilters } from "../promotions/list/promotion-filters";
import { withSnapshot } from "../reports/summary.server";
import { countByStatus } from "./promotion-states.server";

/** Returns the exact number of codes that match: all, of one status, or of a campaign; null for other filters. */
export async function readTotal(filters: PromotionFilters): Promise<number | null> {
  const { status, massGenerationId } = filters;
  const names = filtersToParams(filters).map(([name]) => name);
  const has = (name: string) => names.length === 1 && names[0] === name;
  if (names.length === 0) return (await withSnapshot(countByStatus)).total;
  if (has("status") && status !== null && status !== "deleted")
    return (await withSnapshot(countByStatus))[status];
  return has("mass_generation_id") ? readNumCodes(massGenerationId!) : null;
}

/** Returns null for a deleted mass generation: its codes follow in chunks. */
async function readNumCodes(id: string): Promise<number | null> {
  const row = await one<{ numCodes: number }>(
    db(),
    "select g.num_codes from mass_generations g where g.id = :id and not g.is_deleted",
    { id },
  );
  return row?.numCodes ?? null;
}
