import type { MetaFunction } from "@remix-run/node";
import { productName } from "../format/site";
import { titleAt } from "../screens";

type Matches = readonly { data: unknown }[];

/** Returns the name of the site, which the loader of the root tells. */
export function siteNameOf([root]: Matches): string {
  return (root?.data as { site?: { name: string } } | undefined)?.site?.name ?? productName;
}

/** Returns the title of a page: its words and the name of the site. */
export function titleMeta(words: string, matches: Matches) {
  return [{ title: `${words} - ${siteNameOf(matches)}` }];
}

/**
 * Builds the `meta` of a page with a form: without scripts, a refused form is announced by its title.
 * @param titleOf title without the name of the site, where it depends on what the loader returned, if it did; else
 *   `screens` has it
 */
export function pageMeta<Data>(
  titleOf?: string | ((data: Data | undefined) => string),
): MetaFunction {
  return ({ data, location, matches }) => {
    const words =
      typeof titleOf === "function"
        ? titleOf(data as Data | undefined)
        : (titleOf ?? titleAt(location.pathname));
    const { wasRefused } = (data ?? {}) as { wasRefused?: boolean };
    return titleMeta(`${wasRefused ? "Error: " : ""}${words}`, matches);
  };
}
