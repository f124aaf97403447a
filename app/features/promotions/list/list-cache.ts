import { createListCache } from "../../../ui/table/list-cache";
import type { PromotionView } from "../promotion-view";

export const fetchFailure = "Failed to fetch promotions: The server could not answer";

/** The rows of the QR List that are on the screen: a dialog over it opens without a request. */
export const promotionListCache = createListCache<{
  rows: readonly PromotionView[];
  staleReason: string | null;
}>({ failure: fetchFailure });

export function cachedPromotion(id: string | undefined): PromotionView | undefined {
  return promotionListCache.rows()?.find((row) => row.id === id);
}
