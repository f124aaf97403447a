import { json } from "@remix-run/node";
import { newestTransactions } from "../features/transactions/list-transactions.server";
import { parseTransactionApiList } from "../features/transactions/transaction-filters";
import { toApiTransaction } from "../features/transactions/transaction-api";
import { apiError, apiRoute, methodNotAllowed } from "../http/answers.server";
import { requireApiUser } from "../http/guards.server";

/** The newest transactions, or the newest that are older than one of them (rulings 6.4). */
export const loader = apiRoute(async (args) => {
  await requireApiUser(args);
  const { limit, before, problems } = parseTransactionApiList(
    new URL(args.request.url).searchParams,
  );
  const [problem] = Object.values(problems);
  if (problem) return apiError(400, problem, { fields: problems });
  const transactions = await newestTransactions({ limit, before });
  if (transactions) return json(transactions.map(toApiTransaction));
  const sentence = "'before' must be the id of a transaction";
  return apiError(400, sentence, { fields: { before: sentence } });
});

export const action = apiRoute(async (args) => {
  await requireApiUser(args);
  return methodNotAllowed("GET", "HEAD")();
});
