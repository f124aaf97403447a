import { json, redirect } from "@remix-run/node";
import {
  filterNames,
  type FilterSet,
  type FilterValues,
  type List,
  type ListSettings,
} from "../lists/list";
import { filterParams, formatColumns, formatSort } from "../lists/list-params";
import {
  parseFilters,
  parseColumns,
  parseList,
  type Errors,
  type ListQuery,
} from "../lists/parse-list";
import { DomainError } from "../errors";
import { parseDateInput } from "../forms/date-input";
import { readCookie, setCookie } from "./cookies.server";

/**
 * Reads page and order of a list from a request: its URL first, then its cookie.
 * @throws Response to the URL without the filters that a form without scripts has sent empty, and without a quick choice
 *   of the time over which days were typed: its own links have no days
 */
export function readList<By extends string>(request: Request, list: List<By, FilterSet>) {
  const { pathname, searchParams: params } = new URL(request.url);
  const hasDays = ["created_after", "created_before"].some((name) =>
    parseDateInput(params.get(name) ?? ""),
  );
  const unused = filterNames(list.filters).filter(
    (name) => params.get(name) === "" || (name === "created" && hasDays && params.has(name)),
  );
  if (unused.length > 0) {
    for (const name of unused) params.delete(name);
    throw redirect(pathname + (params.size > 0 ? `?${params}` : (list.emptySearch ?? "")));
  }
  const remembered = readSettings(request, list);
  const { query, hidden, chosen, errors } = parseList(list, params, remembered);
  const { optionalColumns = [] } = list;
  const unchosen = optionalColumns.filter((name) => !chosen.includes(name));
  return {
    params,
    query,
    errors,
    hidden: [...hidden, ...unchosen],
    headers: rememberList(request, list, query),
  };
}

/**
 * Answers the loader of a list screen: reads the settings and filters of its URL, then its page of rows.
 * @param read returns the page that it shows: the nearest one if the requested page has no rows
 * @param parse replaces `parseFilters` where a list has rules beyond those of its fields
 */
export async function loadList<
  By extends string,
  Filters extends FilterSet,
  Page extends { page: number },
>(
  request: Request,
  list: List<By, Filters>,
  read: (input: {
    query: ListQuery<By>;
    filters: FilterValues<Filters>;
    errors: Errors;
  }) => Promise<Page>,
  parse: (params: URLSearchParams) => { filters: FilterValues<Filters>; errors: Errors } = (
    params,
  ) => parseFilters(list.filters, params),
) {
  const { headers, ...settings } = readList(request, list);
  const { query } = settings;
  const { filters, errors } = parse(settings.params);
  const page = await read({ query, filters, errors });
  const views = Object.values(list.filters).filter(({ isView }) => isView);
  const active = filterParams(list.filters, filters).filter(([name]) =>
    views.every(({ param }) => param !== name),
  );
  const data = {
    ...listView(list, settings, { active, errors }),
    isFallback: page.page !== query.page,
    ...page,
  };
  return json(data, { headers });
}

/**
 * Reads the page of a list, without those filters of text whose values `read` rejects. Their messages go to `errors`.
 * @param read throws `invalidFields` with the names of filters, which are also their parameters
 */
export async function readWithoutRejected<Filters extends object, Page>(
  filters: Filters,
  errors: Errors,
  read: () => Promise<Page>,
): Promise<Page> {
  try {
    return await read();
  } catch (cause) {
    const fields = cause instanceof DomainError ? cause.fields : {};
    const rejected = Object.keys(fields).filter((name) => filters[name as keyof Filters]);
    if (rejected.length === 0) throw cause;
    for (const name of rejected) {
      errors[name] = fields[name]!;
      filters[name as keyof Filters] = "" as Filters[keyof Filters];
    }
    return readWithoutRejected(filters, errors, read);
  }
}

/** Returns what every list screen sends beside its rows. */
export function listView(
  list: List,
  { params, query, errors }: { params: URLSearchParams; query: ListQuery; errors: Errors },
  {
    active = [],
    errors: filterErrors = {},
    filterNames = {},
  }: {
    active?: [string, string][];
    errors?: Errors;
    filterNames?: Record<string, string | undefined>;
  } = {},
) {
  const fields = [
    ...(list.search ? [list.search] : []),
    ...Object.values(list.filterGroups ?? {}).flat(),
  ];
  // Chips stand in the order of the controls; quick choices stand before their days, filters without a field last.
  const placeOf = (param: string) => {
    const place = fields.indexOf(param === "created" ? "created_after" : param);
    return place < 0 ? fields.length : place;
  };
  return {
    page: query.page,
    perPage: query.perPage,
    sort: formatSort(query.sort),
    filters: [...active].sort(([one], [other]) => placeOf(one) - placeOf(other)),
    filterNames,
    /** An invalid value stays in its field, with its message. */
    values: Object.fromEntries(
      fields.map((name) => [name, params.get(name) ?? ""]).filter(([, value]) => value),
    ) as Record<string, string>,
    filterErrors,
    messages: [
      ...Object.values(errors),
      ...Object.entries(filterErrors).map(([param, error]) => {
        const filter = Object.values(list.filters).find((one) => one.param === param);
        return `${error}, so '${filter?.fieldLabel ?? param}' is ignored`;
      }),
    ],
  };
}

/** Returns the header that remembers changed settings; none if nothing changed. */
export function rememberList(
  request: Request,
  list: List,
  changes: Partial<ListSettings>,
): Headers {
  if (list.cookie === undefined) return new Headers();
  const remembered = readSettings(request, list);
  const value = formatSettings({ ...remembered, ...changes });
  return new Headers(
    value === formatSettings(remembered) ? {} : { "Set-Cookie": setCookie(list.cookie, value) },
  );
}

/** Reads what this browser remembers of a list: '25~-created~type.used~groups'; a part that is not valid falls back to its default. */
export function readSettings<By extends string>(
  request: Request,
  list: List<By, FilterSet>,
): ListSettings<By> {
  const cookie = list.cookie === undefined ? undefined : readCookie(request, list.cookie);
  const [per_page = "", sort = "", hidden = "-", chosen = "-"] = (cookie ?? "").split("~");
  const { query } = parseList(list, new URLSearchParams({ per_page, sort }));
  const columns = (names: string) => parseColumns(list, names) ?? [];
  return { ...query, hidden: columns(hidden), chosen: columns(chosen) };
}

function formatSettings({ perPage, sort, hidden, chosen }: ListSettings): string {
  return [perPage, formatSort(sort), formatColumns(hidden), formatColumns(chosen)].join("~");
}
