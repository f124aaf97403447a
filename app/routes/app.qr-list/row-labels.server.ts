import type { ListPage } from "../../lists/parse-list";
import { formatCount, formatRowCount } from "../../format/number";

type Scope = { isCampaigns: boolean; isDeleted: boolean; isFiltered: boolean };

/** Returns how the screen names the rows of the list, and whether there is no promotion at all. */
export function rowLabels(total: ListPage["total"], { isCampaigns, isDeleted, isFiltered }: Scope) {
  const noun = isCampaigns ? "campaign" : "promotion";
  return {
    isEmpty: total.count === 0 && !isFiltered && !isDeleted,
    noun,
    /** Names the rows of all pages. */
    allLabel: `All ${isFiltered ? `${formatCount(total)} that match` : formatRowCount(total, noun)}`,
  };
}
