/** The query parameters of a list: which of them links keep, and how they are formatted. */
import { formatDateInput } from "../forms/date-input";
import { idempotencyField } from "../forms/validator";
import { remixParams } from "../remix/data-requests";
import type { FilterSet, FilterValues, Sort } from "./list";

/** The id of the message that a page shows once. */
export const flashParam = "flash";

/** Begins the id of a message about the rows of a list, which is shown only if they could be read. */
export const rowsMessagePrefix = "rows.";

/** Takes back what a message tells, a deactivation or a deletion: the value of its button. */
export const undoIntent = "undo";

/** Query parameters of one request, of Remix itself, of the ticks of one page, or of a dialog over the list. */
const innerParams = [
  ...remixParams,
  "download",
  "select",
  "promos_page",
  // 'Saved views' and its message
  "edit",
  "undo",
  // 'Manage Machines'
  "machine_search",
  "machines",
  "groups",
  "question",
  idempotencyField,
];

/** Query parameters that no link to a changed list keeps: also the page and its cursor. */
export const transientParams: readonly string[] = [
  flashParam,
  ...innerParams,
  "page",
  "after",
  "before",
];

/** Longer than any list's parameters, and short enough to be repeated in every link of a page. */
const maxQueryLength = 2_000;

/** Returns the parameters that links to the same list keep: those with a value, unless they are far too long. */
export function linkParams(
  params: Iterable<[string, string]>,
  without: readonly string[],
): URLSearchParams {
  const own = [...params].filter(([name, value]) => value !== "" && !without.includes(name));
  const isTooLong =
    own.reduce((sum, [name, value]) => sum + name.length + value.length, 0) > maxQueryLength;
  return new URLSearchParams(isTooLong ? [] : own);
}

/** Returns the query string of the same page of a list: '', or with its question mark. */
export function pageSearch(
  params: Iterable<[string, string]>,
  without: readonly string[] = [],
): string {
  return dialogSearch(params, [flashParam, ...without]);
}

/** Returns the same for dialogs over the page, which keep its message: otherwise the page would be read again. */
export function dialogSearch(
  params: Iterable<[string, string]>,
  without: readonly string[] = [],
): string {
  const own = linkParams(params, [...innerParams, ...without]);
  return own.size > 0 ? `?${own}` : "";
}

/** Formats an order as its parameter: 'name' is ascending, '-name' descending. */
export function formatSort({ by, isDescending }: Sort): string {
  return isDescending ? `-${by}` : by;
}

export function formatColumns(names: readonly string[]): string {
  return names.length > 0 ? names.join(".") : "-";
}

/** Returns the parameters of the filters that are set, in their order. */
export function filterParams<Filters extends FilterSet>(
  filters: Filters,
  values: FilterValues<Filters>,
): [param: string, value: string][] {
  return Object.entries(filters).flatMap(([name, { param, kind }]) => {
    const value: unknown = values[name];
    if (value === null || value === "") return [];
    return [[param, kind === "day" ? formatDateInput(String(value)) : String(value)]];
  });
}
