import type { PromotionWords } from "./promotion-words";

/** What the list on the screen shows, so that a dialog over it opens without a request. */
let shown: readonly PromotionWords[] = [];

export function rememberShown(rows: readonly PromotionWords[]): void {
  shown = rows;
}

export function shownPromotion(id: string | undefined): PromotionWords | undefined {
  return shown.find((row) => row.id === id);
}
