import { exportTransactions } from "../../features/transactions/export-transactions.server";
import {
  parseTransactionFilters,
  transactionList,
} from "../../features/transactions/transaction-filters";
import { csvRoute } from "../../http/downloads.server";

export const loader = csvRoute(transactionList, exportTransactions, {
  name: "transactions",
  parse: parseTransactionFilters,
});
