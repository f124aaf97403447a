import type { MetaFunction } from "@remix-run/node";

/**
 * Builds the `meta` of a page with a form: without scripts, a refused form is announced by its title.
 * @param title without the product's name; `data` is what the loader returned, if it did
 */
export function pageMeta<Data>(title: string | ((data: Data | undefined) => string)): MetaFunction {
  return ({ data }) => {
    const words = typeof title === "string" ? title : title(data as Data | undefined);
    const { wasRefused } = (data ?? {}) as { wasRefused?: boolean };
    return [{ title: `${wasRefused ? "Error: " : ""}${words} - Promo Console` }];
  };
}
