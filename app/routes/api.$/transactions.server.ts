import { newestTransactions } from "../../features/transactions/list-transactions.server";
import { toApiTransaction } from "../../features/transactions/transaction";
import { parseTransactionApiList } from "../../features/transactions/transaction-filters";
import { apiError } from "../../http/answers.server";
import { operation } from "../../http/api.server";

export const transactionOperations = [
  operation({
    method: "GET",
    path: "/api/transactions",
    scope: "read",
    query: parseTransactionApiList,
    answers: { 200: "The newest transactions, or the newest older than `before`." },
    async run({ query }) {
      const transactions = await newestTransactions(query);
      if (transactions) return transactions.map(toApiTransaction);
      const before = "'before' must be the id of a transaction";
      return apiError(400, before, { fields: { before } });
    },
  }),
];
