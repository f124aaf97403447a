import { expect } from "vitest";
import { listPromotions } from "../../app/features/promotions/list/list-promotions.server";
import {
  promotionList,
  type PromotionListQuery,
} from "../../app/features/promotions/list/promotion-filters";

type Query = Partial<Omit<PromotionListQuery, "page" | "after" | "before">>;

/** Reads a list page by page, by the cursor of each, and asserts that its total counts its rows. */
export async function readAllPages(query: Query = {}) {
  const rows: Awaited<ReturnType<typeof listPromotions>>["promotions"] = [];
  for (let after: string | null = null, page = 1; ; page++) {
    const cursor = { page, after, before: null };
    const list = await listPromotions({
      perPage: 25,
      sort: promotionList.defaultSort,
      ...query,
      ...cursor,
    });
    rows.push(...list.promotions);
    if (list.next === null) {
      expect(list.total.count).toBe(rows.length);
      return rows;
    }
    after = list.next;
  }
}
