import type { SerializeFrom } from "@remix-run/node";
import { networkErrorMessage } from "../../forms/network-errors";
import type { loader } from "./route";

export type PromotionListData = SerializeFrom<typeof loader>;

/** What the screen showed last; it stays when a refresh or another page gets no answer. */
let last: PromotionListData | undefined;

export function cacheList(list: PromotionListData): void {
  last = { ...list, staleReason: null };
}

/**
 * The list from the server; without an answer the rows already shown, and why (core §8,
 * rulings 6.1).
 * @throws what happened, where nothing has been shown yet
 */
export async function loadListOrCached(
  fetchList: () => Promise<PromotionListData>,
): Promise<PromotionListData> {
  try {
    const list: unknown = await fetchList();
    if (isList(list)) return list;
    return stale("Received invalid data format from server. Using cached data if available.");
  } catch (cause) {
    const sentence = networkErrorMessage(cause, "The server could not answer");
    if (cause instanceof TypeError) return stale("Network error. Using cached data.");
    return stale(`Failed to fetch promotions: ${sentence}`);
  }
}

function isList(data: unknown): data is PromotionListData {
  return typeof data === "object" && data !== null && "rows" in data;
}

function stale(staleReason: string): PromotionListData {
  if (!last) throw new Error(staleReason);
  return { ...last, staleReason };
}
