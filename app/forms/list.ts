/** Declares lists as data: what a list can be sorted and filtered by, and how its URL says so. */
import { remixParams } from "../remix/data-requests";
import { parseRecordId } from "./record-id";
import { isLongerThan, isStorableText } from "./storable-text";
import { formatDateInput, parseDateInput } from "./typed-date";

/** The id of the message that a page shows once. */
export const flashParam = "flash";

/** Takes back what a message tells, a deactivation: the value of its button. */
export const undoIntent = "reactivate";

/** Query parameters of one request, of Remix itself, or of a dialog over the list. */
const requestParams = [flashParam, ...remixParams, "download", "promos_page"];

/** Query parameters that no link to a changed list keeps: also the page and its cursor. */
export const transientParams: readonly string[] = [...requestParams, "page", "after", "before"];

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
  const own = linkParams(params, [...requestParams, ...without]);
  return own.size > 0 ? `?${own}` : "";
}

export type Sort<By extends string = string> = { by: By; isDescending: boolean };

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

/** A parameter that limits the rows; `none`, an empty value, lets all rows through. */
export type Filter<Value = unknown> = {
  kind: "text" | "choice" | "flag" | "day" | "id";
  param: string;
  /** Names the filter where it is set, as in 'Status: Used up'. */
  label: string;
  /** Names its form field, where that differs. */
  fieldLabel: string;
  none: Value;
  choices?: Record<string, string>;
  /** Label of the choice that lets all rows through. */
  anyLabel?: string;
  /** What the button of its group says while nothing in it is set: 'any', unless it is said. */
  unsetLabel?: string;
  /** The property of a day that this one can't be earlier than. */
  notBefore?: string;
  /** Decides what a row is: it has a tab, never a chip, and stays when the filters are cleared. */
  isView?: true;
};
export type FilterSet = Record<string, Filter>;
export type FilterValues<Filters extends FilterSet> = {
  [Name in keyof Filters]: Filters[Name] extends Filter<infer Value> ? Value : never;
};

export function textFilter(param: string, label: string, fieldLabel = label): Filter<string> {
  return { kind: "text", param, label, fieldLabel, none: "" };
}

export function choiceFilter<Word extends string>(
  param: string,
  label: string,
  choices: Record<Word, string>,
): Filter<Word | null> {
  return { kind: "choice", param, label, fieldLabel: label, none: null, choices };
}

export function flagFilter(
  param: string,
  label: string,
  choices: Record<string, string> = { true: "Yes", false: "No" },
  anyLabel?: string,
): Filter<boolean | null> {
  const filter = { kind: "flag", param, label, fieldLabel: label, none: null, choices } as const;
  return { ...filter, ...(anyLabel && { anyLabel }) };
}

/** A row of another table, by its id. */
export function idFilter(param: string, label: string, fieldLabel = label): Filter<string | null> {
  return { kind: "id", param, label, fieldLabel, none: null };
}

/** A day of the site's time zone: YYYY-MM-DD, or in the URL as people type it. */
export function dayFilter(param: string, label: string, fieldLabel = label): Filter<string | null> {
  return { kind: "day", param, label, fieldLabel, none: null };
}

export const createdChoices = {
  "7d": "last 7 days",
  "30d": "last 30 days",
  "2m": "last 2 months",
};

/** `createdChoices` as PostgreSQL intervals. */
export const createdIntervals = { "7d": "7 days", "30d": "30 days", "2m": "2 months" };

/** The time of creation: relative to now, so that a saved URL stays true, or between two days. */
export const createdFilters = {
  created: choiceFilter("created", "Created", createdChoices),
  createdAfter: dayFilter("created_after", "Created after", "Created After"),
  createdBefore: {
    ...dayFilter("created_before", "Created before", "Created Before"),
    notBefore: "createdAfter",
  },
};

/** The group of filters that have no name in common. */
export const moreFilters = "More filters";

export type List<By extends string = string, Filters extends FilterSet = FilterSet> = {
  /** The screen; left out where it depends on a parameter of the route. */
  path?: string;
  /** The query string of the list without parameters, where a bare path means something else. */
  emptySearch?: string;
  /** Names the cookie that remembers rows per page and, where there are several, order and columns. */
  cookie?: string;
  pageSizes: readonly number[];
  /** 25, unless it is said. */
  defaultPageSize?: number;
  /** Orders, each with the direction that the first press on its header gives. */
  sorts: Record<By, "ascending" | "descending">;
  defaultSort: Sort<NoInfer<By>>;
  /** Filters in the order of their parameters. */
  filters: Filters;
  /** Parameter of the search field, and the parameters of the fields behind each button beside it. */
  search?: string;
  filterGroups?: Record<string, readonly string[]>;
  /** Headings of the columns that can be hidden. */
  columns?: Record<string, string>;
  /** Pages are numbered up to this row; only a cursor leads further. */
  lastNumberedRow?: number;
};

const defaultPageSize = 25;

/** Declares a list. The result is plain data, so that browsers load only what they use of it. */
export function defineList<
  By extends string,
  // eslint-disable-next-line @typescript-eslint/no-empty-object-type -- a list without filters
  Filters extends FilterSet = {},
>(list: Omit<List<By, Filters>, "filters"> & { filters?: Filters }): List<By, Filters> {
  return { ...list, filters: list.filters ?? ({} as Filters) };
}

/** Formats an order as its parameter: 'name' is ascending, '-name' descending. */
export function formatSort({ by, isDescending }: Sort): string {
  return isDescending ? `-${by}` : by;
}

/** Parses the parameter of an order, or returns null. */
export function parseSort<By extends string>(
  { sorts }: { sorts: Record<By, unknown> },
  text: string,
): Sort<By> | null {
  const isDescending = text.startsWith("-");
  const by = text.slice(isDescending ? 1 : 0);
  return Object.hasOwn(sorts, by) ? { by: by as By, isDescending } : null;
}

/** Parses the parameter `hide`: 'type.used' hides two columns, '-' none. Null if one is unknown. */
export function parseHidden({ columns = {} }: List, text: string): string[] | null {
  if (text === "-") return [];
  const names = text.split(".");
  const known = Object.keys(columns).filter((name) => names.includes(name));
  return known.length === new Set(names).size ? known : null;
}

export function formatHidden(hidden: readonly string[]): string {
  return hidden.length > 0 ? hidden.join(".") : "-";
}

/** The settings of a list that a browser remembers. */
export type ListSettings<By extends string = string> = {
  perPage: number;
  sort: Sort<By>;
  hidden: readonly string[];
};

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
 * Parses page, order and hidden columns: `page=2&after=1234&per_page=50&sort=-name`. A cursor
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
  const hidden = read("hide", settings.hidden ?? [], (text) => parseHidden(list, text));
  let page = read("page", 1, parsePositive);
  const lastPage = Math.floor((list.lastNumberedRow ?? Infinity) / perPage);
  if (page > lastPage && !after && !before) {
    errors.page = `Page numbers end at ${lastPage.toLocaleString("en")}`;
    page = lastPage;
  }
  const query: ListQuery<By> = { page, perPage, sort, after, before: after ? null : before };
  return { query, hidden, errors };
}

function parsePositive(text: string): number | null {
  return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : null;
}

/** Parses filters; an invalid value lets all rows through, with a message in `errors`. */
export function parseFilters<Filters extends FilterSet>(
  filters: Filters,
  params: URLSearchParams,
): { filters: FilterValues<Filters>; errors: Errors } {
  const errors: Errors = {};
  const read = paramReader(params, errors);
  const values: Record<string, unknown> = {};
  for (const [name, filter] of Object.entries(filters)) {
    const { param, kind, none, notBefore } = filter;
    const message = kind === "day" ? "Invalid date" : undefined;
    values[name] = read(param, none, (text) => parseValue(filter, text), message);
    const earliest = notBefore ? (values[notBefore] as string | null) : null;
    if (earliest && values[name] && (values[name] as string) < earliest) {
      errors[param] =
        `${filter.fieldLabel} cannot be earlier than ${filters[notBefore!]!.fieldLabel}, ${formatDateInput(earliest)}`;
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
  if (kind === "day") {
    const iso = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
    return parseDateInput(iso ? `${iso[3]}/${iso[2]}/${iso[1]}` : text);
  }
  const needle = text.trim();
  return isStorableText(needle) && !isLongerThan(needle, maxTextLength) ? needle : null;
}

export function filterNames(filters: FilterSet): string[] {
  return Object.values(filters).map(({ param }) => param);
}

export function noFiltersOf<Filters extends FilterSet>(filters: Filters): FilterValues<Filters> {
  return Object.fromEntries(
    Object.entries(filters).map(([name, { none }]) => [name, none]),
  ) as FilterValues<Filters>;
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

/** Describes a filter that is set: 'Status: Used up'. Values without a label describe themselves. */
export function describeFilter(filter: Filter, value: string): string {
  const words = filter.choices?.[value] ?? value;
  return `${filter.label}: ${filter.kind === "flag" ? words.toLowerCase() : words}`;
}
