import * as z from "zod/mini";
import { newestTransactions } from "../../features/transactions/list-transactions.server";
import { toApiTransaction } from "../../features/transactions/transaction";
import { transactionSchema } from "../../features/transactions/transaction-api";
import { parseTransactionApiList } from "../../features/transactions/transaction-filters";
import { apiError } from "../answers.server";
import { oneOf, operation, taggedJson, type QueryParams } from "../api.server";

const transactionListParams: QueryParams = {
  limit: "At most 100.",
  before: "The id of a transaction: older ones follow.",
  created: "7d, 30d or 2m.",
  created_after: "YYYY-MM-DD, in the site's time zone.",
  created_before: "YYYY-MM-DD, in the site's time zone.",
  machine: "A whole serial number.",
  promotion: [
    "A whole code, its last four characters, or at least 3 characters of a name.",
    { type: "string", minLength: 3 },
  ],
  mass_generation_id: "Transactions of the codes of one mass generation.",
  status: oneOf("applied", "rolled_back"),
  type: oneOf("percentage", "free_drink"),
  integration: "The id of an integration.",
  redemption: "A redemption id, whole.",
};

export const transactionOperations = [
  operation({
    method: "GET",
    path: "/api/transactions",
    summary: "List transactions",
    scope: "read",
    isFromReplica: true,
    answerHeaders: ["Link"],
    query: parseTransactionApiList,
    answers: {
      200: "Matching transactions, newest first. The header `Link` has the address of those that follow, also after fewer than `limit`.",
    },
    result: z.array(transactionSchema),
    queryParams: transactionListParams,
    async run({ query, request }) {
      const found = await newestTransactions(query);
      if (!found) {
        const before = "'before' must be the id of a transaction";
        return apiError(400, before, { fields: { before } });
      }
      const { transactions, next } = found;
      const url = new URL(request.url);
      url.searchParams.set("before", next ?? "");
      const headers: Record<string, string> =
        next === null ? {} : { Link: `<${url.pathname}${url.search}>; rel="next"` };
      return taggedJson(request, transactions.map(toApiTransaction), headers);
    },
  }),
];
