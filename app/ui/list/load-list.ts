import { routerState } from "../../remix/router";
import { cachedList, type LoadedList } from "../table/list-cache";

/**
 * Returns the message of a refresh that got no answer: about the rows shown last, or about the server where there are none.
 * @param emptyFailure begins it where there are none
 */
export function unansweredMessage(path: string, emptyFailure = ""): string {
  if (cachedList(path)?.rows.length) return "Network error. Using cached data.";
  const port = routerState()?.loaderData["routes/app"].port;
  return `${emptyFailure}Server is not available. Please check if server is running on port ${port}.`;
}

/**
 * Loads a list. When a refresh or another page gets no answer, it returns the one shown last, with the reason in
 * `staleReason`.
 * @param failure reason for an answer of the server that is an error
 * @param emptyFailure as `unansweredMessage` has it
 * @throws the reason, if nothing has been shown yet; redirects and rejections as they are
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
    if (cause instanceof Response && cause.status === 429 && cachedList(path))
      return stale(await cause.text());
    if (cause instanceof Response && cause.status < 500) throw cause;
    // fetch() rejects with a TypeError when nobody answers.
    return stale(cause instanceof TypeError ? unansweredMessage(path, emptyFailure) : failure);
  }
}
