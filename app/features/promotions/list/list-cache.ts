import { createListCache } from "../../../ui/table/list-cache";
import type { PromotionView } from "../promotion-view";

/** The rows of the QR List that are on the screen: a dialog over it opens without a request. */
export const promotionListCache = createListCache<{
  rows: readonly PromotionView[];
  staleReason: string | null;
}>({ failure: "Failed to fetch promotions: The server could not answer" });

export function cachedPromotion(id: string | undefined): PromotionView | undefined {
  return promotionListCache.rows()?.find((row) => row.id === id);
}
