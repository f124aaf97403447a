import {
  parseHidden,
  formatHidden,
  type ListColumn,
} from "../features/promotions/list/list-columns";
import {
  defaultPageSize,
  formatSort,
  newestFirst,
  pageSizes,
  parseSort,
  type PromotionSort,
} from "../features/promotions/list/promotion-filters";
import { readCookie } from "./cookies";
import { setCookie } from "./preferences.server";

/** How this browser wants the list of promotions where the address says nothing (rulings 1.6). */
export type ListPreferences = { perPage: number; sort: PromotionSort; hidden: ListColumn[] };

const name = "list";

export function isPageSize(perPage: number): boolean {
  return (pageSizes as readonly number[]).includes(perPage);
}

export function readListCookie(request: Request): ListPreferences {
  const [perPage, sort, hidden] = (readCookie(request, name) ?? "").split("~");
  return {
    perPage: isPageSize(Number(perPage)) ? Number(perPage) : defaultPageSize,
    sort: parseSort(sort ?? "") ?? newestFirst,
    hidden: parseHidden(hidden ?? "") ?? [],
  };
}

/** The header that remembers it; none where nothing changed. */
export function rememberingList(request: Request, changes: Partial<ListPreferences>): Headers {
  const before = readListCookie(request);
  const { perPage, sort, hidden } = { ...before, ...changes };
  const write = (of: ListPreferences) =>
    `${of.perPage}~${formatSort(of.sort)}~${formatHidden(of.hidden)}`;
  const value = write({ perPage, sort, hidden });
  return new Headers(value === write(before) ? {} : { "Set-Cookie": setCookie(name, value) });
}
