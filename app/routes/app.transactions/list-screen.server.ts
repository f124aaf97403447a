import { siteTimeZone } from "../../db/site.server";
import { DomainError } from "../../errors";
import { listIntegrations } from "../../features/integrations/integrations.server";
import { suggestMachines } from "../../features/machines/list-machines.server";
import { listTransactions } from "../../features/transactions/list-transactions.server";
import {
  defaultPageSize,
  filtersToParams,
  pageSizes,
  parseTransactionFilters,
  parseTransactionList,
  transactionParameters,
  type TransactionListQuery,
} from "../../features/transactions/transaction-filters";
import { toTransactionView } from "../../features/transactions/transaction-view";
import { formatDateTime } from "../../format/date";
import { readRowsCookie, rememberingRows } from "../../http/rows-cookie.server";

/** What the list shows for an address, in words, and the cookie that remembers how. */
export async function readTransactionScreen(request: Request) {
  const params = new URL(request.url).searchParams;
  const before = readRowsCookie(request, "transactions", { pageSizes, usual: defaultPageSize });
  const { query, problems } = parseTransactionList(params, before);
  const { filters, problems: filterProblems } = parseTransactionFilters(params);
  const [{ transactions, stoppedAt, ...list }, machines, integrations] = await Promise.all([
    listOrLeaveOut({ ...query, filters }, filterProblems),
    suggestMachines(),
    listIntegrations(),
  ]);
  const timeZone = siteTimeZone();
  // A bad value stays in its field, with what is wrong with it.
  const typed = Object.fromEntries(
    transactionParameters
      .filter((name) => name !== "created")
      .map((name) => [name, params.get(name) ?? ""]),
  );
  const data = {
    ...list,
    rows: transactions.map((transaction) => toTransactionView(transaction, timeZone)),
    stoppedAt: stoppedAt && formatDateTime(stoppedAt, timeZone),
    filters: filtersToParams(filters),
    typed,
    isMoreOpen: fieldsBehindMore.some((name) => typed[name] !== ""),
    filterProblems,
    problems: [
      ...problems,
      ...Object.values(filterProblems).map((problem) => `${problem}, so that filter is left out`),
    ],
    machines,
    integrations: integrations.map(({ id, name }): [string, string] => [id, name]),
  };
  const headers = rememberingRows("transactions", { before, perPage: query.perPage });
  return { data, headers };
}

const fieldsBehindMore = ["type", "mass_generation_id", "integration"];

/** A name that leads nowhere is left out, and named in `problems`. */
async function listOrLeaveOut(query: TransactionListQuery, problems: Record<string, string>) {
  try {
    return await listTransactions(query);
  } catch (cause) {
    if (!(cause instanceof DomainError) || !cause.fields.promotion) throw cause;
    problems.promotion = cause.fields.promotion;
    query.filters.promotion = "";
    return listTransactions(query);
  }
}
