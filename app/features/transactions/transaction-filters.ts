/** What a list of transactions shows: filters and page, as the address says (rulings 1.6). */
import {
  createdParams,
  filterReader,
  readCreated,
  readOneOf,
  readText,
  type CreatedFilter,
} from "../../forms/list-filters";
import { parseListQuery } from "../../forms/list-query";
import { parseRecordId } from "../../forms/record-id";
import { isLongerThan } from "../../forms/storable-text";
import type { TransactionStatus, TransactionType } from "./transaction";

/** core §9 */
export const pageSizes = [10, 25, 50] as const;
export const defaultPageSize = 25;

/** Which transactions; null and '' let all through. */
export type TransactionFilters = CreatedFilter & {
  /** A serial number as a whole, in either case. */
  machine: string;
  /** A code as a whole, or a part of a name. */
  promotion: string;
  massGenerationId: string | null;
  status: TransactionStatus | null;
  type: TransactionType | null;
  integrationId: string | null;
};

export const noFilters: TransactionFilters = {
  createdAfter: null,
  createdBefore: null,
  created: null,
  machine: "",
  promotion: "",
  massGenerationId: null,
  status: null,
  type: null,
  integrationId: null,
};

/** The parameters of the filters, in the order in which they are shown. */
export const transactionParameters = [
  "created",
  "created_after",
  "created_before",
  "machine",
  "promotion",
  "mass_generation_id",
  "status",
  "type",
  "integration",
] as const;
export type TransactionParameter = (typeof transactionParameters)[number];

export type TransactionListQuery = {
  /** From 1. */
  page: number;
  perPage: number;
  /** The id of a transaction: those older than it, or newer. Never both. */
  after: string | null;
  before: string | null;
  filters: TransactionFilters;
};

/** A name is found by three characters that follow each other. */
const shortestName = 3;

/** A value that means nothing lets all through and is named in `problems`. */
export function parseTransactionFilters(params: URLSearchParams): {
  filters: TransactionFilters;
  problems: Record<string, string>;
} {
  const problems: Record<string, string> = {};
  const read = filterReader(params, problems);
  const filters = {
    ...readCreated(read, problems),
    machine: readText(read, "machine"),
    promotion: readText(read, "promotion"),
    massGenerationId: read("mass_generation_id", null, parseRecordId),
    status: readOneOf<TransactionStatus>(read, "status", ["applied", "rolled_back"]),
    type: readOneOf<TransactionType>(read, "type", ["percentage", "free_drink"]),
    integrationId: read("integration", null, parseRecordId),
  };
  if (filters.promotion !== "" && !isLongerThan(filters.promotion, shortestName - 1)) {
    problems.promotion = "Type a whole code, or at least 3 characters of a name";
    filters.promotion = "";
  }
  return { filters, problems };
}

/** The parameters that say the same; those that let all through are left out. */
export function filtersToParams(filters: TransactionFilters): [TransactionParameter, string][] {
  const values: Record<TransactionParameter, string> = {
    ...createdParams(filters),
    machine: filters.machine,
    promotion: filters.promotion,
    mass_generation_id: filters.massGenerationId ?? "",
    status: filters.status ?? "",
    type: filters.type ?? "",
    integration: filters.integrationId ?? "",
  };
  return transactionParameters
    .map((name): [TransactionParameter, string] => [name, values[name]])
    .filter(([, value]) => value !== "");
}

/** @param perPage where the address says none */
export function parseTransactionList(params: URLSearchParams, perPage: number) {
  const { query, problems } = parseListQuery(params, {
    pageSizes,
    perPage,
    sorts: ["created"],
    sort: { by: "created", isDescending: true },
  });
  const { page, after, before } = query;
  return { query: { page, perPage: query.perPage, after, before }, problems };
}

/** core §7: at most so many at once. */
export const maxPerResponse = 100;

/** `GET /api/transactions` (rulings 6.4): nothing that is not known is passed over. */
export function parseTransactionApiList(params: URLSearchParams) {
  const problems: Record<string, string> = {};
  const read = filterReader(params, problems);
  const limit = read(
    "limit",
    maxPerResponse,
    (text) => (/^([1-9]\d?|100)$/.test(text) ? Number(text) : null),
    `'limit' must be a whole number from 1 to ${maxPerResponse}`,
  );
  const before = read("before", null, parseRecordId, "'before' must be the id of a transaction");
  for (const name of params.keys()) {
    if (!["limit", "before"].includes(name)) problems[name] = "This parameter is not known";
  }
  return { limit, before, problems };
}
