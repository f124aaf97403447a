/** Declares lists as data: what a list shows, and what it can be sorted and filtered by. */

export type Sort<By extends string = string> = { by: By; isDescending: boolean };

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
  return { kind: "flag", param, label, fieldLabel: label, none: null, choices, anyLabel };
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

/**
 * Declares filters by the time of rows: relative to now, so that a saved URL stays true, or between two days.
 * @param label names them, and so do its fields 'Time after' and 'Time before' unless they have labels of their own
 */
// @__NO_SIDE_EFFECTS__
export function timeFilters(label: string, after?: string, before?: string) {
  return {
    created: choiceFilter("created", label, createdChoices),
    createdAfter: dayFilter("created_after", `${label} after`, after),
    createdBefore: {
      ...dayFilter("created_before", `${label} before`, before),
      notBefore: "createdAfter",
    },
  };
}

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
  /** Those of them that are hidden until they are chosen. */
  optionalColumns?: readonly string[];
  /** Pages are numbered up to this row; only a cursor leads further. */
  lastNumberedRow?: number;
};

/**
 * Declares a list: by default of 10, 25 or 50 rows in the first of its orders. The result is plain data, so that
 * browsers load only what they use of it.
 */
// @__NO_SIDE_EFFECTS__
export function defineList<
  By extends string,
  // eslint-disable-next-line @typescript-eslint/no-empty-object-type -- a list without filters
  Filters extends FilterSet = {},
>({
  pageSizes = [10, 25, 50],
  filters = {} as Filters,
  ...list
}: Omit<List<By, Filters>, Optional> & Partial<Pick<List<By, Filters>, Optional>>): List<
  By,
  Filters
> {
  const [by, direction] = Object.entries(list.sorts)[0] as [By, string];
  const defaultSort = { by, isDescending: direction === "descending" };
  return { defaultSort, ...list, pageSizes, filters };
}

type Optional = "pageSizes" | "defaultSort" | "filters";

/** The settings of a list that a browser remembers. */
export type ListSettings<By extends string = string> = {
  perPage: number;
  sort: Sort<By>;
  hidden: readonly string[];
  /** Optional columns that were chosen. */
  chosen: readonly string[];
};

export function filterNames(filters: FilterSet): string[] {
  return Object.values(filters).map(({ param }) => param);
}

export function noFiltersOf<Filters extends FilterSet>(filters: Filters): FilterValues<Filters> {
  return Object.fromEntries(
    Object.entries(filters).map(([name, { none }]) => [name, none]),
  ) as FilterValues<Filters>;
}
