import type { MetaFunction } from "@remix-run/node";
import { productName } from "../format/site";
import { titleAt } from "../screens";

type Matches = readonly { data: unknown }[];

/** Returns the name of the site, which the loader of the root tells. */
export function siteNameOf([root]: Matches): string {
  return (root?.data as { site?: { name: string } } | undefined)?.site?.name ?? productName;
}

/** Returns the title of a page: its words and the name of the site. */
export function titleMeta(text: string, matches: Matches) {
  return [{ title: `${text} - ${siteNameOf(matches)}` }];
}

/**
 * Builds the `meta` of a page: its own words, then the screen at its address or the nearest one above it. Without
 * scripts, the title announces how a form ended.
 * @param textOf its words, where they are not the name that `nameOf` of the route's handle tells
 */
export function pageMeta<Data>(
  textOf?: string | ((data: Data | undefined) => string | undefined),
): MetaFunction {
  return ({ data, location, matches }) => {
    const { handle } = matches.find((match) => match.data === data) ?? {};
    const { nameOf } = (handle ?? {}) as { nameOf?: (data: unknown) => string };
    const text =
      typeof textOf === "function"
        ? textOf(data as Data | undefined)
        : (textOf ?? (data ? nameOf?.(data) : undefined));
    const { wasRefused } = (data ?? {}) as { wasRefused?: boolean };
    const shell = matches[1]?.data as { titleMessage?: string } | undefined;
    const title = [shell?.titleMessage, text, titleAt(location.pathname)]
      .filter(Boolean)
      .join(" - ");
    return titleMeta(`${wasRefused ? "Error: " : ""}${title}`, matches);
  };
}
