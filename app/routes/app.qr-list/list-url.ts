import { useSearchParams } from "@remix-run/react";
import { paths } from "../../paths";

/** Of one moment: a page, a cursor, a message. */
const passing = ["f", "after", "before", "page"];

/**
 * Addresses of this list with something changed; whatever else it shows is kept. '' takes a
 * parameter away. Without any the list would open the default view: the page says that it is not.
 */
export function useListUrl() {
  const [params] = useSearchParams();
  const kept = new URLSearchParams(
    [...params].filter(([name, value]) => value !== "" && !passing.includes(name)),
  );
  const url = (changes: Record<string, string>) => {
    const next = new URLSearchParams(kept);
    for (const [name, value] of Object.entries(changes)) {
      if (value === "") next.delete(name);
      else next.set(name, value);
    }
    return `${paths.qrList}?${next.size > 0 ? next : "page=1"}`;
  };
  const own = new URLSearchParams(params);
  own.delete("f");
  return Object.assign(url, {
    /** Of this very address, for links that come back to it. */
    search: own.size > 0 ? `?${own}` : "",
    /** What forms that change something else keep. */
    kept: Object.fromEntries(kept),
  });
}
