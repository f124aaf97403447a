import { siteTimeZone } from "../../db/site.server";
import { siteFormat } from "../../features/settings/settings.server";
import type { LoaderFunctionArgs } from "@remix-run/node";
import { archivedNoteOfPage } from "../../features/archived-months/archived-note.server";
import { listIntegrationChoices } from "../../features/integrations/integrations.server";
import { readFilterNames } from "../../features/mass-generations/mass-generation.server";
import { suggestMachines } from "../../features/machines/machines.server";
import { listTransactions } from "../../features/transactions/list-transactions.server";
import { archivedAttemptAt } from "../../features/transactions/transaction-filters.server";
import {
  parseTransactionFilters,
  type TransactionFilters,
  transactionList,
} from "../../features/transactions/transaction-filters";
import { toTransactionView } from "../../features/transactions/transaction";
import { formatDateTime } from "../../format/date";
import { loadList, readWithoutRejected } from "../../http/list.server";
import type { Session } from "../../http/sessions.server";

/** Returns a note if the attempt with this redemption ID is archived. */
async function archivedAttemptNote({ redemptionId }: TransactionFilters): Promise<string | null> {
  const attemptedAt = redemptionId === "" ? null : await archivedAttemptAt(redemptionId);
  if (attemptedAt === null) return null;
  return `The attempt with this redemption ID, of ${formatDateTime(attemptedAt, siteTimeZone())}, is archived.`;
}

export function loadTransactions({ request }: LoaderFunctionArgs, { user }: Session) {
  return loadList(
    request,
    transactionList,
    async ({ query, filters, errors }) => {
      const [{ transactions, stoppedAt, ...page }, filterNames, machines, integrations] =
        await Promise.all([
          readWithoutRejected(filters, errors, () => listTransactions({ ...query, filters })),
          readFilterNames(filters),
          suggestMachines(),
          listIntegrationChoices(),
        ]);
      const site = siteFormat();
      return {
        ...page,
        filterNames,
        rows: transactions.map((transaction) => toTransactionView(transaction, site, user)),
        stoppedAt: stoppedAt && formatDateTime(stoppedAt, site.timeZone),
        archived:
          (await archivedAttemptNote(filters)) ?? (await archivedNoteOfPage(filters, !page.next)),
        machines,
        integrations: integrations.map(({ id, name }): [string, string] => [id, name]),
      };
    },
    parseTransactionFilters,
  );
}
