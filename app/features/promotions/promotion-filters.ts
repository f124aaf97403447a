/** What a list of promotions shows: filters, page and order, as the URL says (rulings 1.6). */
import { parseRecordId } from "../../forms/record-id";
import { isLongerThan, isStorableText } from "../../forms/storable-text";
import { formatTypedDate, parseTypedDate } from "../../format/typed-date";
import { promotionStatuses, type PromotionStatus } from "./promotion";

export const promotionSorts = ["created", "name", "discount", "expiration", "used"] as const;
export type PromotionSort = { by: (typeof promotionSorts)[number]; isDescending: boolean };

/** core §9 */
export const pageSizes = [10, 25, 50] as const;
export const defaultPageSize = 25;
/** Page numbers read rows up to here; a cursor reads on. */
export const lastNumberedRow = 10_000;
export const newestFirst: PromotionSort = { by: "created", isDescending: true };

/** Which promotions; null and '' let all through. */
export type PromotionFilters = {
  /** Days of the site's zone, YYYY-MM-DD: from the start of one to the end of the other. */
  createdAfter: string | null;
  createdBefore: string | null;
  /** Back from now, so that a saved address stays true. */
  created: CreatedWithin | null;
  /** Of one machine that it is assigned to, alone, by a group or by its generation. */
  serialNumber: string;
  controller: string;
  /** In the name or the code. */
  text: string;
  type: "single" | "mass" | null;
  status: PromotionStatus | null;
  isUsed: boolean | null;
  isReusable: boolean | null;
  isExpired: boolean | null;
  isIndefinite: boolean | null;
  massGenerationId: string | null;
  deleted: "without" | "with" | "only";
};

export const createdChoices = {
  "7d": "last 7 days",
  "30d": "last 30 days",
  "2m": "last 2 months",
} as const;
export type CreatedWithin = keyof typeof createdChoices;

export const noFilters: PromotionFilters = {
  createdAfter: null,
  createdBefore: null,
  created: null,
  serialNumber: "",
  controller: "",
  text: "",
  type: null,
  status: null,
  isUsed: null,
  isReusable: null,
  isExpired: null,
  isIndefinite: null,
  massGenerationId: null,
  deleted: "without",
};

/** The parameters of the filters, in the order in which they are shown. */
export const filterParameters = [
  "created",
  "created_after",
  "created_before",
  "serial_number",
  "controller",
  "text",
  "type",
  "status",
  "is_used",
  "is_reusable",
  "is_expired",
  "is_indefinite",
  "mass_generation_id",
  "include_deleted",
  "deleted",
] as const;
export type FilterParameter = (typeof filterParameters)[number];

/** Longer than any name. */
const longestFilter = 200;

/** Collects what means nothing, by parameter; the first of several with one name counts. */
function reader(params: URLSearchParams, problems: Record<string, string>) {
  return function read<Value>(
    name: string,
    fallback: Value,
    parse: (text: string) => Value | null,
    sentence = `The value of '${name}' is not valid`,
  ): Value {
    const text = params.get(name);
    if (text === null || text === "") return fallback;
    const value = parse(text);
    if (value === null) problems[name] = sentence;
    return value ?? fallback;
  };
}

/** A value that means nothing lets all through and is named in `problems`. */
export function parsePromotionFilters(params: URLSearchParams): {
  filters: PromotionFilters;
  problems: Record<string, string>;
} {
  const problems: Record<string, string> = {};
  const read = reader(params, problems);
  const day = (name: string) => read<string | null>(name, null, parseDay, "Invalid date");
  const oneOf = <Word extends string>(name: string, words: readonly Word[]) =>
    read<Word | null>(name, null, (text) => words.find((word) => word === text) ?? null);
  const text = (name: string) => read(name, "", parseText);
  const yesOrNo = (name: string) => {
    const word = oneOf(name, ["true", "false"]);
    return word === null ? null : word === "true";
  };

  const createdAfter = day("created_after");
  let createdBefore = day("created_before");
  if (createdAfter !== null && createdBefore !== null && createdBefore < createdAfter) {
    problems.created_before = `Created Before cannot be earlier than Created After, ${formatTypedDate(createdAfter)}`;
    createdBefore = null;
  }
  const status = oneOf("status", promotionStatuses);
  const isOnlyDeleted = yesOrNo("deleted") === true || status === "deleted";
  const isWithDeleted = yesOrNo("include_deleted") === true;
  return {
    filters: {
      createdAfter,
      createdBefore,
      created: oneOf("created", Object.keys(createdChoices) as CreatedWithin[]),
      serialNumber: text("serial_number"),
      controller: text("controller"),
      text: text("text"),
      type: oneOf("type", ["single", "mass"]),
      status,
      isUsed: yesOrNo("is_used"),
      isReusable: yesOrNo("is_reusable"),
      isExpired: yesOrNo("is_expired"),
      isIndefinite: yesOrNo("is_indefinite"),
      massGenerationId: read("mass_generation_id", null, parseRecordId),
      deleted: isOnlyDeleted ? "only" : isWithDeleted ? "with" : "without",
    },
    problems,
  };
}

/** As people type it, or YYYY-MM-DD. */
function parseDay(text: string): string | null {
  const iso = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  return parseTypedDate(iso ? `${iso[3]}/${iso[2]}/${iso[1]}` : text);
}

function parseText(text: string): string | null {
  const needle = text.trim();
  return isStorableText(needle) && !isLongerThan(needle, longestFilter) ? needle : null;
}

/** The parameters that say the same; those that let all through are left out. */
export function filtersToParams(filters: PromotionFilters): [FilterParameter, string][] {
  const yesOrNo = (value: boolean | null) => (value === null ? "" : String(value));
  const values: Record<FilterParameter, string> = {
    created: filters.created ?? "",
    created_after: filters.createdAfter ? formatTypedDate(filters.createdAfter) : "",
    created_before: filters.createdBefore ? formatTypedDate(filters.createdBefore) : "",
    serial_number: filters.serialNumber,
    controller: filters.controller,
    text: filters.text,
    type: filters.type ?? "",
    status: filters.status ?? "",
    is_used: yesOrNo(filters.isUsed),
    is_reusable: yesOrNo(filters.isReusable),
    is_expired: yesOrNo(filters.isExpired),
    is_indefinite: yesOrNo(filters.isIndefinite),
    mass_generation_id: filters.massGenerationId ?? "",
    include_deleted: filters.deleted === "with" ? "true" : "",
    deleted: filters.deleted === "only" && filters.status !== "deleted" ? "true" : "",
  };
  return filterParameters
    .filter((name) => values[name] !== "")
    .map((name) => [name, values[name]] as const)
    .map(([name, value]) => [name, value]);
}

/** Characters as people count them. Up to two are looked for at the beginning of a code only. */
export function isShortNeedle(text: string): boolean {
  return text !== "" && !isLongerThan(text, 2);
}

export type PromotionListQuery = {
  /** From 1. */
  page: number;
  perPage: number;
  sort: PromotionSort;
  /** The id of a promotion: the rows behind it, or before it, in the order of `sort`. */
  after: string | null;
  before: string | null;
  /** All promotions that are not deleted, when left out. */
  filters?: PromotionFilters;
};

/** 'name' is ascending, '-name' descending. Null when it is no such order. */
export function parseSort(text: string): PromotionSort | null {
  const isDescending = text.startsWith("-");
  const by = promotionSorts.find((sort) => sort === text.slice(isDescending ? 1 : 0));
  return by ? { by, isDescending } : null;
}

export function formatSort({ by, isDescending }: PromotionSort): string {
  return isDescending ? `-${by}` : by;
}

function parsePositive(text: string, most: number): number | null {
  const value = /^[1-9][0-9]{0,8}$/.test(text) ? Number(text) : null;
  return value !== null && value <= most ? value : null;
}

/**
 * Reads page and order. A value that means nothing falls back to its default and is named in
 * `problems`: screens say so, the API refuses.
 * @param isPageSize which numbers of rows may be asked for
 */
export function parsePromotionList(
  params: URLSearchParams,
  defaults: { perPage: number; sort: PromotionSort },
  isPageSize: (perPage: number) => boolean,
): { query: PromotionListQuery; problems: Record<string, string> } {
  const problems: Record<string, string> = {};
  const read = reader(params, problems);

  const perPage = read("per_page", defaults.perPage, (text) => {
    const size = parsePositive(text, lastNumberedRow);
    return size !== null && isPageSize(size) ? size : null;
  });
  const after = read("after", null, parseRecordId);
  const before = read("before", null, parseRecordId);
  const sort = read("sort", defaults.sort, parseSort);
  // With a cursor the number is only what is read; without one it decides the rows.
  const lastPage = after || before ? 999_999_999 : Math.floor(lastNumberedRow / perPage);
  const page = read("page", 1, (text) => parsePositive(text, 999_999_999));
  if (page > lastPage) problems.page = `Page numbers end at ${lastPage}`;
  return {
    query: { page: Math.min(page, lastPage), perPage, sort, after, before: after ? null : before },
    problems,
  };
}

const apiParameters: readonly string[] = [
  ...["page", "per_page", "sort", "after", "before"],
  ...filterParameters,
];

/** `GET /api/promotions` (rulings 6.4): at most 100 rows, and nothing that is not known. */
export function parsePromotionApiList(params: URLSearchParams) {
  const list = parsePromotionList(
    params,
    { perPage: defaultPageSize, sort: newestFirst },
    (perPage) => perPage <= 100,
  );
  const { filters, problems } = parsePromotionFilters(params);
  Object.assign(problems, list.problems);
  if (problems.include_deleted) {
    problems.include_deleted = "'include_deleted' must be true or false";
  }
  for (const name of params.keys()) {
    if (!apiParameters.includes(name)) problems[name] = "This parameter is not known";
  }
  return { query: { ...list.query, filters }, problems };
}
