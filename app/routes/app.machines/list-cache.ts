import type { SerializeFrom } from "@remix-run/node";
import { networkErrorMessage } from "../../forms/network-errors";
import type { loader } from "./route";

export type MachineListData = SerializeFrom<typeof loader>;

/** What the screen showed last, and when it came; it stays when a refresh gets no answer. */
let last: { list: MachineListData; cameAt: number } | undefined;

export function cacheList(list: MachineListData): void {
  if (list.staleReason === null) last = { list, cameAt: Date.now() };
}

/**
 * The list from the server; without an answer the rows already shown, with why and how old they
 * are (core §8, rulings 6.1).
 * @throws what happened, where nothing has been shown yet
 */
export async function loadListOrCached(
  fetchList: () => Promise<MachineListData>,
): Promise<MachineListData> {
  try {
    const list: unknown = await fetchList();
    if (isList(list)) return list;
    return stale("Received invalid data format from server. Using cached data if available.");
  } catch (cause) {
    const sentence = networkErrorMessage(cause, "Failed to load machines data.");
    return stale(cause instanceof TypeError ? "Network error. Using cached data." : sentence);
  }
}

function isList(data: unknown): data is MachineListData {
  return typeof data === "object" && data !== null && "rows" in data;
}

function stale(reason: string): MachineListData {
  if (!last) throw new Error(reason);
  return { ...last.list, staleReason: `${reason} ${describeAge(Date.now() - last.cameAt)}` };
}

function describeAge(milliseconds: number): string {
  const minutes = Math.floor(milliseconds / 60_000);
  if (minutes < 1) return "The rows below are less than a minute old.";
  if (minutes < 120)
    return `The rows below are ${minutes} ${minutes === 1 ? "minute" : "minutes"} old.`;
  return `The rows below are ${Math.floor(minutes / 60)} hours old.`;
}
