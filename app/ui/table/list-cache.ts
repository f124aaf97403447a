/** A list as it was loaded; `staleReason` says why it could not be refreshed. */
type LoadedList = { rows: unknown; staleReason: string | null };

/**
 * Keeps the list shown last in the browser: when a refresh or another page gets no answer, its rows
 * stay, with the reason.
 * @param failure for an answer of the server that is an error
 * @param showsAge adds to the reason how old the rows are
 */
export function createListCache<List extends LoadedList>({
  failure,
  showsAge = false,
}: {
  failure: string;
  showsAge?: boolean;
}) {
  let last: { list: List; cameAt: number } | undefined;

  function stale(reason: string): List {
    if (!last) throw new Error(reason);
    const age = showsAge ? ` ${describeAge(Date.now() - last.cameAt)}` : "";
    return { ...last.list, staleReason: reason + age };
  }

  return {
    rows: () => last?.list.rows as List["rows"] | undefined,
    store(list: List): void {
      if (list.staleReason === null) last = { list, cameAt: Date.now() };
    },
    /** @throws the reason, if nothing has been shown yet; redirects and refusals as they are */
    async load(fetchList: () => Promise<List>): Promise<List> {
      try {
        const list: unknown = await fetchList();
        if (typeof list === "object" && list !== null && "rows" in list) return list as List;
        return stale("Received invalid data format from server. Using cached data if available.");
      } catch (cause) {
        if (cause instanceof Response && cause.status < 500) throw cause;
        // fetch() rejects with a TypeError when nobody answers.
        return stale(cause instanceof TypeError ? "Network error. Using cached data." : failure);
      }
    },
  };
}

function describeAge(milliseconds: number): string {
  const minutes = Math.floor(milliseconds / 60_000);
  if (minutes < 1) return "The rows below are less than a minute old.";
  if (minutes < 120)
    return `The rows below are ${minutes} ${minutes === 1 ? "minute" : "minutes"} old.`;
  return `The rows below are ${Math.floor(minutes / 60)} hours old.`;
}
