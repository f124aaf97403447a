import { cachedList, type LoadedList } from "../table/list-cache";

/** Message of a refresh that got no answer and has nothing to show; nothing was entered that could be lost. */
export function serverUnavailableMessage(): string {
  const port = location.port || (location.protocol === "https:" ? "443" : "80");
  return `Server is not available. Please check if server is running on port ${port}.`;
}

/**
 * Returns the message of a refresh that got no answer, above the rows shown last.
 * @param emptyFailure begins it where there are none
 */
export function unansweredMessage(path: string, emptyFailure?: string): string {
  const isEmpty = cachedList(path)?.list.rows.length === 0;
  return isEmpty && emptyFailure
    ? emptyFailure + serverUnavailableMessage()
    : "Network error. Using cached data.";
}

/**
 * Loads a list. When a refresh or another page gets no answer, it returns the one shown last, with the reason in
 * `staleReason`.
 * @param failure reason for an answer of the server that is an error
 * @param emptyFailure as `unansweredMessage` has it
 * @param showsAge adds to the reason how old the rows are
 * @throws the reason, if nothing has been shown yet; redirects and refusals as they are
 */
export async function loadListOrCached<List extends LoadedList>(
  path: string,
  fetchList: () => Promise<List>,
  {
    failure,
    emptyFailure,
    showsAge = false,
  }: { failure: string; emptyFailure?: string; showsAge?: boolean },
): Promise<List> {
  const stale = (reason: string): List => {
    const last = cachedList(path);
    if (!last) throw new Error(reason);
    const age = showsAge ? ` ${describeAge(Date.now() - last.loadedAt)}` : "";
    return { ...(last.list as List), staleReason: reason + age, refreshed: [] };
  };
  try {
    const list: unknown = await fetchList();
    if (typeof list === "object" && list !== null && "rows" in list) return list as List;
    return stale("Received invalid data format from server. Using cached data if available.");
  } catch (cause) {
    if (cause instanceof Response && cause.status < 500) throw cause;
    // fetch() rejects with a TypeError when nobody answers.
    return stale(cause instanceof TypeError ? unansweredMessage(path, emptyFailure) : failure);
  }
}

function describeAge(milliseconds: number): string {
  const minutes = Math.floor(milliseconds / 60_000);
  if (minutes < 1) return "The rows below are less than a minute old.";
  if (minutes < 120)
    return `The rows below are ${minutes} ${minutes === 1 ? "minute" : "minutes"} old.`;
  return `The rows below are ${Math.floor(minutes / 60)} hours old.`;
}
