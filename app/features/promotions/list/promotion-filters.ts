/** What a list of promotions shows: filters, page and order, as the URL says (rulings 1.6). */
import {
  createdParams,
  filterReader,
  readCreated,
  readOneOf,
  readText,
  type CreatedFilter,
} from "../../../forms/list-filters";
import { parseRecordId } from "../../../forms/record-id";
import { isLongerThan } from "../../../forms/storable-text";
import { promotionStatuses, type PromotionStatus } from "../promotion";

export const promotionSorts = ["created", "name", "discount", "expiration", "used"] as const;
export type PromotionSort = { by: (typeof promotionSorts)[number]; isDescending: boolean };

/** core §9 */
export const pageSizes = [10, 25, 50] as const;
export const defaultPageSize = 25;
/** Page numbers read rows up to here; a cursor reads on. */
export const lastNumberedRow = 10_000;
export const newestFirst: PromotionSort = { by: "created", isDescending: true };

/** Which promotions; null and '' let all through. */
export type PromotionFilters = CreatedFilter & {
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

/** A value that means nothing lets all through and is named in `problems`. */
export function parsePromotionFilters(params: URLSearchParams): {
  filters: PromotionFilters;
  problems: Record<string, string>;
} {
  const problems: Record<string, string> = {};
  const read = filterReader(params, problems);
  const oneOf = <Word extends string>(name: string, words: readonly Word[]) =>
    readOneOf(read, name, words);
  const text = (name: string) => readText(read, name);
  const yesOrNo = (name: string) => {
    const word = oneOf(name, ["true", "false"]);
    return word === null ? null : word === "true";
  };

  const created = readCreated(read, problems);
  const status = oneOf("status", promotionStatuses);
  const isOnlyDeleted = yesOrNo("deleted") === true || status === "deleted";
  const isWithDeleted = yesOrNo("include_deleted") === true;
  return {
    filters: {
      ...created,
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

/** The parameters that say the same; those that let all through are left out. */
export function filtersToParams(filters: PromotionFilters): [FilterParameter, string][] {
  const yesOrNo = (value: boolean | null) => (value === null ? "" : String(value));
  const values: Record<FilterParameter, string> = {
    ...createdParams(filters),
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
  const read = filterReader(params, problems);

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
