import type { PromotionView } from "../promotion-view";

/** What the list on the screen shows, so that a dialog over it opens without a request. */
let shown: readonly PromotionView[] = [];

export function cachePromotions(rows: readonly PromotionView[]): void {
  shown = rows;
}

export function cachedPromotion(id: string | undefined): PromotionView | undefined {
  return shown.find((row) => row.id === id);
}
