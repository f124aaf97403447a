import { useLocation, useSearchParams } from "@remix-run/react";
import { dialogSearch, linkParams, transientParams } from "../../lists/list-params";

/**
 * Builds URLs of the first page of a list with some parameters changed; '' removes one.
 * @param list its path, where a dialog may be open over it; and its query string without parameters
 */
export function useListUrl({
  path,
  emptySearch = "",
}: { path?: string; emptySearch?: string } = {}) {
  const [params] = useSearchParams();
  const { pathname } = useLocation();
  const linked = linkParams(params, transientParams);
  const url = (changes: Record<string, string>) => {
    const next = new URLSearchParams(linked);
    for (const [name, value] of Object.entries(changes)) {
      if (value === "") next.delete(name);
      else next.set(name, value);
    }
    return (path ?? pathname) + (next.size > 0 ? `?${next}` : emptySearch);
  };
  return Object.assign(url, {
    /** The query string of this very page, for its dialogs and for forms that come back to it. */
    search: dialogSearch(params),
    /** Parameters that forms which change another one keep. */
    params: Object.fromEntries(linked),
  });
}
