import { Link, useLoaderData } from "@remix-run/react";
import type { SerializeFrom } from "@remix-run/node";
import { SerialSuggestions } from "../../features/machines/serial-suggestions";
import { transactionTabs } from "../../features/redemptions/refusal-list";
import { transactionList } from "../../features/transactions/transaction-filters";
import { pageMeta } from "../../forms/page-meta";
import { screenLoader } from "../../http/answers.server";
import { requireUser } from "../../http/guards.server";
import { paths } from "../../paths";
import { MessageBlock } from "../../ui/feedback/message-block";
import { ButtonLink } from "../../ui/form/button";
import { ExportLink, ListScreen } from "../../ui/table/list-screen";
import { useListUrl } from "../../ui/table/list-url";
import { transactionColumns } from "./columns";
import { loadTransactions } from "./list-screen.server";

export type TransactionListData = SerializeFrom<typeof loader>;

export const handle = { hasTable: ({ rows }: TransactionListData) => rows.length > 0 };

export const meta = pageMeta("Transactions");

export const loader = screenLoader(requireUser, ({ request }) => loadTransactions(request));

export default function Transactions() {
  const list = useLoaderData<typeof loader>();
  const older = useListUrl(transactionList)({ page: `${list.page + 1}`, after: list.next ?? "" });
  return (
    <ListScreen
      title="Transactions"
      actions={<ExportLink to={paths.transactionsCsv} filters={list.filters} />}
      notes={
        list.stoppedAt !== null &&
        list.rows.length > 0 && (
          <MessageBlock kind="info">
            {`Searched back to ${list.stoppedAt}. `}
            <Link to={older} preventScrollReset>
              Load older
            </Link>
          </MessageBlock>
        )
      }
      tabs={transactionTabs}
      list={transactionList}
      data={list}
      noun="transaction"
      columns={transactionColumns}
      options={{ integration: list.integrations }}
      suggestions={list.machines.length > 0 ? { machine: "machines" } : {}}
      suggested={<SerialSuggestions id="machines" machines={list.machines} />}
      empty={{
        icon: "receipt",
        title: "No transactions yet",
        reason: "Each code that a machine accepts appears here, with its discount.",
      }}
      noMatch={
        list.stoppedAt === null
          ? { title: list.page > 1 ? "Nothing older matches" : "Nothing matches" }
          : searchedBackTo(list.stoppedAt, older)
      }
    />
  );
}

/** Words for when the part of the table that was searched holds no match. */
function searchedBackTo(stoppedAt: string, older: string) {
  return {
    title: `Nothing matches since ${stoppedAt}`,
    reason:
      "Older transactions are not searched yet. Load them, or filter by serial number, code or date.",
    action: (
      <ButtonLink to={older} preventScrollReset variant="primary">
        Load older
      </ButtonLink>
    ),
  };
}
