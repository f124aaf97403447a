/** The lists shown last, by the path of their screen: a dialog over one of its rows opens without a request. */
import { useEffect } from "react";

/** A list as it was loaded; `staleReason` says why it could not be refreshed, `notices` that it was. */
export type LoadedList = {
  rows: readonly { id: string }[];
  staleReason: string | null;
  notices: readonly object[];
};

const shown = new Map<string, LoadedList>();
/** The paths of the screens that are shown now. */
const onScreen = new Set<string>();

/** Stores a list while it is shown. */
export function useListCache(path: string, list: LoadedList): void {
  useEffect(() => {
    onScreen.add(path);
    return () => void onScreen.delete(path);
  }, [path]);
  useEffect(() => {
    if (list.staleReason === null) shown.set(path, list);
  }, [path, list]);
}

/** Returns the list shown last. */
export const cachedList = (path: string) => shown.get(path);

/** Returns a row of the list that is shown. One that was left may have changed since, on the row's own page. */
export function cachedRow<Row extends { id: string }>(
  path: string,
  id: string | undefined,
): Row | undefined {
  if (!onScreen.has(path)) return undefined;
  return cachedList(path)?.rows.find((row) => row.id === id) as Row | undefined;
}
