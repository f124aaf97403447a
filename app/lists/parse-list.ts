/** Parses the query parameters of a list, of its screen as of the API. */
import { parseRecordId } from "../forms/record-id";
import { isLongerThan, isStorableText } from "../forms/storable-text";
import { explainDate } from "../forms/explain-date";
import { formatDateInput, parseDateInput } from "../forms/date-input";
import type { Filter, FilterSet, FilterValues, List, ListSettings, Sort } from "./list";

export type ListQuery<By extends string = string> = {
  /** From 1. */
  page: number;
  perPage: number;
  sort: Sort<By>;
  /** The id of a row: the page after it, or the one before it. Never both. */
  after: string | null;
  before: string | null;
};

/** Facts about a page of a list beside its rows. */
export type ListPage = {
  /** Exact up to 10,000; if capped, there are more. */
  total: { count: number; isCapped: boolean };
  page: number;
  perPage: number;
  /** Cursors for `after` and `before`; null at the ends. */
  next: string | null;
  previous: string | null;
  /** The requested page has no rows (any more); this is the nearest one. */
  isFallback: boolean;
};

/**
 * Cuts a page from rows of which one more was read than it holds, and returns its cursors.
 * @param rows before a cursor in reverse order
 */
export function toCursorPage<Row extends { id: string }>(
  { page, perPage, after, before }: Omit<ListQuery, "sort">,
  rows: readonly Row[],
) {
  const hasMore = rows.length > perPage;
  const shown = rows.slice(0, perPage);
  if (before !== null) shown.reverse();
  const hasNext = before !== null || hasMore;
  const hasPrevious = before !== null ? hasMore : page > 1 || after !== null;
  return {
    rows: shown,
    page,
    perPage,
    next: hasNext ? (shown.at(-1)?.id ?? null) : null,
    previous: hasPrevious ? (shown[0]?.id ?? null) : null,
  };
}

const defaultPageSize = 25;

/** Parses the parameter of an order, or returns null. */
export function parseSort<By extends string>(
  { sorts }: { sorts: Record<By, unknown> },
  text: string,
): Sort<By> | null {
  const isDescending = text.startsWith("-");
  const by = text.slice(isDescending ? 1 : 0);
  return Object.hasOwn(sorts, by) ? { by: by as By, isDescending } : null;
}

/** Parses names of columns, as of the parameter `hide`: 'type.used' hides two, '-' none. Null if one is unknown. */
export function parseColumns({ columns = {} }: List, text: string): string[] | null {
  if (text === "-") return [];
  const names = text.split(".");
  const known = Object.keys(columns).filter((name) => names.includes(name));
  return known.length === new Set(names).size ? known : null;
}

export type Errors = Record<string, string>;

/** Reads parameters one by one; an invalid value becomes the fallback and adds to `errors`. */
export function paramReader(params: URLSearchParams, errors: Errors) {
  return function read<Value>(
    name: string,
    fallback: Value,
    parse: (text: string) => Value | null,
    message = `The value of '${name}' is not valid`,
  ): Value {
    const text = params.get(name);
    if (text === null || text === "") return fallback;
    const value = parse(text);
    if (value === null) errors[name] = message;
    return value ?? fallback;
  };
}

/**
 * Parses page, order, hidden and chosen columns: `page=2&after=1234&per_page=50&sort=-name`. A cursor
 * decides the rows; the page number is then only shown. An invalid value falls back to its default,
 * with a message in `errors`: screens show it, the API rejects the request.
 * @param settings where the URL says nothing
 */
export function parseList<By extends string>(
  list: List<By, FilterSet>,
  params: URLSearchParams,
  settings: Partial<ListSettings<By>> = {},
  isPageSize = (perPage: number) => list.pageSizes.includes(perPage),
) {
  const errors: Errors = {};
  const read = paramReader(params, errors);
  const perPage = read(
    "per_page",
    settings.perPage ?? list.defaultPageSize ?? defaultPageSize,
    (text) => {
      const size = parsePositive(text);
      return size !== null && isPageSize(size) ? size : null;
    },
  );
  const after = read("after", null, parseRecordId);
  const before = read("before", null, parseRecordId);
  const sort = read("sort", settings.sort ?? list.defaultSort, (text) => parseSort(list, text));
  const hidden = read("hide", settings.hidden ?? [], (text) => parseColumns(list, text));
  const chosen = read("show", settings.chosen ?? [], (text) => parseColumns(list, text));
  let page = read("page", 1, (text) => parsePositive(text));
  const lastPage = Math.floor((list.lastNumberedRow ?? Infinity) / perPage);
  if (page > lastPage && !after && !before) {
    errors.page = `Page numbers end at ${lastPage.toLocaleString("en")}`;
    page = lastPage;
  }
  const query: ListQuery<By> = { page, perPage, sort, after, before: after ? null : before };
  return { query, hidden, chosen, errors };
}

/** How the API's document says that days are sent. */
export const apiDayFormat = "YYYY-MM-DD";

/** Parses a whole number from 1, in digits alone. */
export function parsePositive(text: string, max = 999_999_999): number | null {
  return /^[1-9]\d{0,8}$/.test(text) && Number(text) <= max ? Number(text) : null;
}

/** Adds an error about each parameter that is not known. */
export function rejectUnknown(params: URLSearchParams, known: string[], errors: Errors): void {
  for (const name of params.keys())
    if (!known.includes(name)) errors[name] = "This parameter is not known";
}

/**
 * Parses filters; an invalid value lets all rows through, with a message in `errors`.
 * @param dayFormat what the message about a day asks for: that of screens by default, or `apiDayFormat`
 */
export function parseFilters<Filters extends FilterSet>(
  filters: Filters,
  params: URLSearchParams,
  dayFormat?: string,
): { filters: FilterValues<Filters>; errors: Errors } {
  const errors: Errors = {};
  const read = paramReader(params, errors);
  const isApi = dayFormat === apiDayFormat;
  const values: Record<string, unknown> = {};
  for (const [name, filter] of Object.entries(filters)) {
    const { param, kind, none, notBefore } = filter;
    const message =
      kind === "day"
        ? explainDate(params.get(param) ?? "", dayFormat)
        : kind === "id"
          ? "A number is needed"
          : undefined;
    values[name] = read(param, none, (text) => parseValue(filter, text), message);
    const earliest = notBefore ? (values[notBefore] as string | null) : null;
    if (earliest && values[name] && (values[name] as string) < earliest) {
      const first = filters[notBefore!]!;
      errors[param] = isApi
        ? `'${param}' cannot be earlier than '${first.param}', ${earliest}`
        : `${filter.fieldLabel} cannot be earlier than ${first.fieldLabel}, ${formatDateInput(earliest).replaceAll("/", ".")}`;
      values[name] = none;
    }
  }
  return { filters: values as FilterValues<Filters>, errors };
}

/** Longer than any name. */
const maxTextLength = 200;

function parseValue({ kind, choices = {} }: Filter, text: string): unknown {
  if (kind === "id") return parseRecordId(text);
  if (kind === "choice") return Object.hasOwn(choices, text) ? text : null;
  if (kind === "flag") return text === "true" ? true : text === "false" ? false : null;
  if (kind === "day") return parseDateInput(text);
  const needle = text.trim();
  return isStorableText(needle) && !isLongerThan(needle, maxTextLength) ? needle : null;
}
