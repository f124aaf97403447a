/** The lists shown last, by the path of their screen: a dialog over one of its rows opens without a request. */
import { useEffect } from "react";

/** A list as it was loaded; `staleReason` says why it could not be refreshed, `notices` that it was. */
export type LoadedList = {
  rows: readonly { id: string }[];
  staleReason: string | null;
  notices: readonly object[];
};

const shown = new Map<string, LoadedList>();

/** Stores a list while it is shown. */
export function useListCache(path: string, list: LoadedList): void {
  useEffect(() => {
    if (list.staleReason === null) shown.set(path, list);
  }, [path, list]);
}

/** Returns the list shown last. */
export const cachedList = (path: string) => shown.get(path);

/** Returns a row of the list shown last. */
export function cachedRow<Row extends { id: string }>(
  path: string,
  id: string | undefined,
): Row | undefined {
  return cachedList(path)?.rows.find((row) => row.id === id) as Row | undefined;
}
