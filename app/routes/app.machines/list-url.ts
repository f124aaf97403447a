import { useSearchParams } from "@remix-run/react";
import { paths } from "../../paths";

/** Of one moment: a page, a message; or of the dialog over the list. */
const passing = ["f", "page", "promos_page"];

/** Addresses of this list with something changed, on its first page. '' takes a parameter away. */
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
    return next.size > 0 ? `${paths.machines}?${next}` : paths.machines;
  };
  const own = new URLSearchParams(params);
  for (const name of ["f", "promos_page"]) own.delete(name);
  return Object.assign(url, {
    /** Of this very list, for what comes back to it. */
    search: own.size > 0 ? `?${own}` : "",
    /** What forms that change something else keep. */
    kept: Object.fromEntries(kept),
  });
}
