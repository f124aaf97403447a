/** Declares the QR List: its order, filters and columns, and how the API reads them. */
import {
  choiceFilter,
  timeFilters,
  dayFilter,
  defineList,
  filterNames,
  type FilterValues,
  flagFilter,
  idFilter,
  type List,
  moreFilters,
  noFiltersOf,
  type Sort,
  textFilter,
} from "../../../lists/list";
import { filterParams, pageSearch } from "../../../lists/list-params";
import {
  apiDayFormat,
  type Errors,
  type ListQuery,
  parseFilters,
  parseList,
} from "../../../lists/parse-list";
import { isLongerThan } from "../../../forms/storable-text";
import { discountTypeLabels } from "../../../format/promotion";
import { paths } from "../../../paths";
import { canEdit, type Reader } from "../../sign-in/user";
import { statusLabels } from "../promotion-view";
import { listColumns, optionalColumns } from "./list-columns";

const filters = {
  view: { ...choiceFilter("view", "View", { campaigns: "Campaigns" }), isView: true as const },
  ...timeFilters("Created", "Created After", "Created Before"),
  /** A machine that the promotion is assigned to, directly or by a group or its generation. */
  machine: textFilter("machine", "Machine", "Serial number or name"),
  groupId: idFilter("group", "Machine group"),
  serialNumber: textFilter("serial_number", "Serial number", "Serial Number"),
  controller: textFilter("controller", "Name of machine", "Name of Controller"),
  text: textFilter("text", "Name or code"),
  type: choiceFilter("type", "Type", { single: "Single", mass: "Mass Gen" }),
  discountType: choiceFilter("discount_type", "Discount type", discountTypeLabels),
  status: choiceFilter("status", "Status", statusLabels),
  expires: choiceFilter("expires", "Expiration", {
    "7d": "within 7 days",
    "30d": "within 30 days",
    ahead: "not passed",
    passed: "passed",
    none: "none",
  }),
  startsAfter: dayFilter("starts_after", "Starts after"),
  startsBefore: { ...dayFilter("starts_before", "Starts before"), notBefore: "startsAfter" },
  /** Status and hours. */
  isRunning: flagFilter("running", "Running now"),
  use: choiceFilter("use", "Use", {
    unused: "not used yet",
    used: "used",
    once: "one-time codes",
    reusable: "reusable codes",
  }),
  /** The day on which the last use was accepted or the expiration passed (RULES D4). */
  completedAfter: dayFilter("completed_after", "Completed after"),
  completedBefore: {
    ...dayFilter("completed_before", "Completed before"),
    notBefore: "completedAfter",
  },
  // The API's filters of the same facts; links of earlier versions have them too.
  isUsed: flagFilter("is_used", "Used"),
  isReusable: flagFilter("is_reusable", "Reusable"),
  isExpired: flagFilter("is_expired", "Expired"),
  isIndefinite: flagFilter("is_indefinite", "No expiration"),
  massGenerationId: idFilter("mass_generation_id", "Campaign", "Campaign number"),
  massGeneration: textFilter("mass_generation", "Mass Generation", "Name of Mass Generation"),
  includesDeleted: flagFilter("include_deleted", "Deleted", { true: "Included" }, "Left out"),
  isDeleted: { ...flagFilter("deleted", "Deleted", { true: "Only" }), isView: true as const },
};

/** Message of a list that the server could not read. */
export const emptyFailure = "Failed to fetch promotions: ";
export const fetchFailed = `${emptyFailure}The server could not answer`;

export const promotionList = defineList({
  path: paths.qrList,
  // Without parameters the screen opens the user's default view.
  emptySearch: "?page=1",
  cookie: "list",
  sorts: {
    created: "descending",
    type: "ascending",
    name: "ascending",
    discount_type: "ascending",
    discount: "descending",
    expiration: "descending",
    is_single_use: "descending",
    is_renewable: "descending",
    used: "descending",
    uses_left: "ascending",
    status: "ascending",
  },
  filters,
  search: "text",
  filterGroups: {
    Status: ["status"],
    Created: ["created_after", "created_before"],
    Machine: ["machine", "group", "serial_number", "controller"],
    [moreFilters]: [
      // Puts what belongs together side by side in two columns.
      "type",
      "discount_type",
      "completed_after",
      "completed_before",
      "starts_after",
      "starts_before",
      "expires",
      "use",
      "running",
      "mass_generation",
      "include_deleted",
    ],
  },
  columns: listColumns,
  optionalColumns: Object.keys(optionalColumns),
  lastNumberedRow: 10_000,
});

export function isCampaignView(params: URLSearchParams): boolean {
  return params.get(filters.view.param) === "campaigns";
}

export function isDeletedView(params: URLSearchParams): boolean {
  return params.get(filters.isDeleted.param) === "true";
}

export type PromotionSort = Sort<keyof typeof promotionList.sorts>;

/**
 * The view 'Campaigns': a mass generation is one row. Its uses are counted for the rows of a page only,
 * so they are no order.
 */
export const campaignList: List<PromotionSort["by"]> = {
  ...promotionList,
  sorts: Object.fromEntries(
    Object.entries(promotionList.sorts).filter(([by]) => by !== "used" && by !== "uses_left"),
  ) as typeof promotionList.sorts,
};

/** Which promotions; null and '' let all through. */
export type PromotionFilters = Omit<
  FilterValues<typeof filters>,
  "includesDeleted" | "isDeleted"
> & {
  deleted: "without" | "with" | "only";
  /** Codes that the text finds: those that have it as a part, or as the whole code or its end alone, for viewers. */
  codesBy: "part" | "end";
};

export type PromotionListQuery = ListQuery<PromotionSort["by"]> & {
  /** All promotions that are not deleted, when left out. */
  filters?: PromotionFilters;
};

export const noFilters = /* @__PURE__ */ withDeletion(/* @__PURE__ */ noFiltersOf(filters));

/** Parses the filters; an invalid value lets all through, with a message in `errors`. */
export function parsePromotionFilters(params: URLSearchParams, reader: Reader, dayFormat?: string) {
  const parsed = parseFilters(filters, params, dayFormat);
  return {
    filters: { ...withDeletion(parsed.filters), codesBy: codesFoundBy(reader) },
    errors: parsed.errors,
  };
}

/** Says how a reader finds codes: a viewer could learn a code from its parts, one character after the other. */
export function codesFoundBy(reader: Reader): PromotionFilters["codesBy"] {
  return canEdit(reader) ? "part" : "end";
}

function withDeletion(values: FilterValues<typeof filters>): PromotionFilters {
  const { includesDeleted, isDeleted, ...others } = values;
  const isOnlyDeleted = isDeleted === true || others.status === "deleted";
  const deleted = isOnlyDeleted ? "only" : includesDeleted ? "with" : "without";
  return { ...others, deleted, codesBy: "part" };
}

export function filtersToParams({
  deleted,
  codesBy: _codesBy,
  ...values
}: PromotionFilters): [string, string][] {
  return filterParams(filters, {
    ...values,
    includesDeleted: deleted === "with" || null,
    isDeleted: (deleted === "only" && values.status !== "deleted") || null,
  });
}

/** Returns the parameters of the filters that are set within a view: each has a chip. */
export function activeFilters(values: PromotionFilters): [string, string][] {
  const viewParams = [filters.view.param, filters.isDeleted.param];
  return filtersToParams(values).filter(([param]) => !viewParams.includes(param));
}

/** Up to two characters match the beginning of a code only. */
export function isShortNeedle(text: string): boolean {
  return text !== "" && !isLongerThan(text, 2);
}

/** Says what a text finds that is too short to be looked for everywhere; null for any other. */
export function noteOnShortText(text: string, reader: Reader): string | null {
  if (!isShortNeedle(text)) return null;
  return canEdit(reader)
    ? "One or two characters match only the beginning of a code."
    : "Enter a whole code, its last 4 characters, or at least 3 of a name.";
}

/** Parses the parameters of `GET /api/promotions`: at most 100 rows, and nothing unknown. */
export function parsePromotionApiList(params: URLSearchParams, reader: Reader) {
  const list = parseList(promotionList, params, {}, (perPage) => perPage <= 100);
  const { filters, errors: filterErrors } = parsePromotionFilters(params, reader, apiDayFormat);
  const errors: Errors = { ...filterErrors, ...list.errors };
  if (errors.include_deleted) errors.include_deleted = "'include_deleted' must be true or false";
  const known = [
    "page",
    "per_page",
    "sort",
    "after",
    "before",
    "count",
    ...filterNames(promotionList.filters),
  ];
  if (!/^(none|exact|)$/.test(params.get("count") ?? ""))
    errors.count = "'count' must be exact or none";
  if (params.get("after") && params.get("before"))
    errors.before = "Send 'after' or 'before', not both";
  for (const name of params.keys())
    if (name === "view" || !known.includes(name)) errors[name] = "This parameter is not known";
  return { query: { ...list.query, filters }, errors };
}

/** Returns the URL of the list that an action on one of its rows came from, whose query it carries. */
export function listAddress(actionUrl: string): string {
  return paths.qrList + pageSearch(new URL(actionUrl).searchParams);
}

/** Returns the parameters of the list that a selection was made in: filter, order and page. */
export function listParams(params: URLSearchParams): URLSearchParams {
  return new URLSearchParams(pageSearch(params, ["ids", "all", "ticked", "intent"]));
}
