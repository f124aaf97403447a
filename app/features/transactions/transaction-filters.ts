/** Declares the list of transactions: its filters, and how the API reads its page. */
import {
  choiceFilter,
  timeFilters,
  defineList,
  filterNames,
  idFilter,
  moreFilters,
  noFiltersOf,
  textFilter,
  type FilterValues,
} from "../../lists/list";
import { filterParams, pageSearch } from "../../lists/list-params";
import {
  apiDayFormat,
  paramReader,
  parseFilters,
  parsePositive,
  rejectUnknown,
  type Errors,
  type ListQuery,
} from "../../lists/parse-list";
import { parseRecordId } from "../../forms/record-id";
import { isLongerThan } from "../../forms/storable-text";
import { discountTypeLabels } from "../../format/promotion";
import { paths } from "../../paths";
import { transactionStatusLabels } from "./transaction";

const filters = {
  ...timeFilters("Time"),
  /** A whole serial number, in either case. */
  machine: textFilter("machine", "Machine", "Serial Number"),
  /** A whole code or its last four characters, or a part of a name. */
  promotion: textFilter("promotion", "Code or name"),
  massGenerationId: idFilter("mass_generation_id", "Campaign", "Campaign number"),
  status: choiceFilter("status", "Status", transactionStatusLabels),
  type: choiceFilter("type", "Type", discountTypeLabels),
  integrationId: idFilter("integration", "Integration"),
  /** Whole, as the client made it. */
  redemptionId: textFilter("redemption", "Redemption ID"),
};

export const transactionList = defineList({
  path: paths.transactions,
  cookie: "rows-transactions",
  sorts: { created: "descending" },
  filters,
  search: "promotion",
  filterGroups: {
    Status: ["status"],
    Time: ["created_after", "created_before"],
    Machine: ["machine"],
    [moreFilters]: ["type", "mass_generation_id", "integration", "redemption"],
  },
});

/** Which transactions; null and '' let all through. */
export type TransactionFilters = FilterValues<typeof filters>;
export type TransactionListQuery = Omit<ListQuery, "sort"> & { filters: TransactionFilters };

export const noFilters = /* @__PURE__ */ noFiltersOf(filters);

/** A name is found by three consecutive characters. */
const minNameLength = 3;

/** Parses the filters; an invalid value lets all through, with a message in `errors`. */
export function parseTransactionFilters(params: URLSearchParams, dayFormat?: string) {
  const parsed = parseFilters(filters, params, dayFormat);
  const { promotion } = parsed.filters;
  if (promotion !== "" && !isLongerThan(promotion, minNameLength - 1)) {
    parsed.errors.promotion = "Enter a whole code or at least 3 characters of a name";
    parsed.filters.promotion = "";
  }
  return parsed;
}

/** Returns the address of the list with some of its filters set. */
export function transactionsAddress(values: Partial<TransactionFilters>): string {
  return paths.transactions + pageSearch(filterParams(filters, { ...noFilters, ...values }));
}

const maxPerResponse = 100;

/** Parses the parameters of `GET /api/transactions`: the filters of the screen, `limit` and `before`. */
export function parseTransactionApiList(params: URLSearchParams) {
  const parsed = parseTransactionFilters(params, apiDayFormat);
  const errors: Errors = parsed.errors;
  const read = paramReader(params, errors);
  const limit = read(
    "limit",
    maxPerResponse,
    (text) => parsePositive(text, maxPerResponse),
    `'limit' must be a whole number from 1 to ${maxPerResponse}`,
  );
  const before = read("before", null, parseRecordId, "'before' must be the id of a transaction");
  rejectUnknown(params, ["limit", "before", ...filterNames(filters)], errors);
  return { query: { filters: parsed.filters, limit, before }, errors };
}
