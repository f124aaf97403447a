/** Selection of a bulk action: ticked rows, or all that match the filter of the list. */
import { pageSearch } from "../../../forms/list";
import { parseRecordId } from "../../../forms/record-id";
import { parsePromotionFilters, type PromotionFilters } from "../list/promotion-filters";

export type PromotionSelection =
  { kind: "ticked"; ids: string[] } | { kind: "matching"; filters: PromotionFilters };

/** A page of the list has 50 rows at most. */
const maxTicked = 1_000;

/**
 * Reads `ids`, or with `all` the filter. A filter that can't be read would widen the selection, so
 * it is a problem and never passed over.
 * @returns null when nothing is chosen
 */
export function parseSelection(params: URLSearchParams): {
  selection: PromotionSelection;
  problem: string | null;
} | null {
  const ids = [...new Set(params.getAll("ids"))];
  if (params.has("all")) return parseMatching(params);
  if (ids.length === 0) return null;
  const isRead = ids.length <= maxTicked && ids.every((id) => parseRecordId(id) !== null);
  return {
    selection: { kind: "ticked", ids: isRead ? ids : [] },
    problem: isRead ? null : "The selection can't be read.",
  };
}

/** Everything that the list's filter lets through. */
export function parseMatching(params: URLSearchParams): {
  selection: PromotionSelection;
  problem: string | null;
} {
  const { filters, errors } = parsePromotionFilters(params);
  return {
    selection: { kind: "matching", filters },
    problem: Object.values(errors)[0] ?? null,
  };
}

export const nothingChosen = "Tick at least one code first, or choose all that match.";

/** Query parameters of a selection, not of the list that it was made in. */
const selectionParams = ["ids", "all", "ticked", "intent", "select"];

/** Returns the parameters of the list that a selection was made in: filter, order and page. */
export function listParams(params: URLSearchParams): URLSearchParams {
  return new URLSearchParams(pageSearch(params, selectionParams));
}
