import { siteToday } from "../../features/promotions/promotion-sql.server";
import { exportTransactions } from "../../features/transactions/list-transactions.server";
import {
  parseTransactionFilters,
  transactionList,
} from "../../features/transactions/transaction-filters";
import { filterNames } from "../../forms/list";
import { downloadRoute } from "../../http/downloads.server";
import { streamedFile } from "../../http/file-response.server";

/**
 * Every transaction that the filters let through, as CSV. A value that means nothing is refused:
 * leaving it out would export more than was asked for.
 */
export const loader = downloadRoute(async (fileRequest) => {
  const { searchParams } = new URL(fileRequest.request.url);
  const { filters, errors } = parseTransactionFilters(searchParams);
  const [error] = Object.values(errors);
  const known = filterNames(transactionList.filters);
  const unknown = [...searchParams.keys()].find((name) => !known.includes(name));
  if (error) throw new Response(error, { status: 400 });
  if (unknown) throw new Response("This parameter is not known", { status: 400 });
  return streamedFile(fileRequest, () => exportTransactions(filters), {
    fileName: `transactions-${await siteToday()}.csv`,
    headers: { "Content-Type": "text/csv; charset=utf-8", "Cache-Control": "private, no-store" },
  });
});
