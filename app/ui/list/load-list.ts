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
  const isEmpty = cachedList(path)?.rows.length === 0;
  return isEmpty && emptyFailure
    ? emptyFailure + serverUnavailableMessage()
    : "Network error. Using cached data.";
}

/**
 * Loads a list. When a refresh or another page gets no answer, it returns the one shown last, with the reason in
 * `staleReason`.
 * @param failure reason for an answer of the server that is an error
 * @param emptyFailure as `unansweredMessage` has it
 * @throws the reason, if nothing has been shown yet; redirects and refusals as they are
 */
export async function loadListOrCached<List extends LoadedList>(
  path: string,
  fetchList: () => Promise<List>,
  { failure, emptyFailure }: { failure: string; emptyFailure?: string },
): Promise<List> {
  const stale = (staleReason: string): List => {
    const last = cachedList(path);
    if (!last) throw new Error(staleReason);
    return { ...(last as List), staleReason, notices: [] };
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
