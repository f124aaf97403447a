import type { MetaFunction } from "@remix-run/node";
import { titleAt } from "../screens";

/**
 * Builds the `meta` of a page with a form: without scripts, a refused form is announced by its title.
 * @param titleOf title without the product's name, where it depends on what the loader returned, if it did; else
 *   `screens` has it
 */
export function pageMeta<Data>(
  titleOf?: string | ((data: Data | undefined) => string),
): MetaFunction {
  return ({ data, location }) => {
    const words =
      typeof titleOf === "function"
        ? titleOf(data as Data | undefined)
        : (titleOf ?? titleAt(location.pathname));
    const { wasRefused } = (data ?? {}) as { wasRefused?: boolean };
    return [{ title: `${wasRefused ? "Error: " : ""}${words} - Promo Console` }];
  };
}
