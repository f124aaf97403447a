import { useLoaderData } from "@remix-run/react";
import { SerialSuggestions } from "../../features/machines/serial-suggestions";
import { transactionTabs } from "../../features/redemptions/refusal-list";
import { transactionList } from "../../features/transactions/transaction-filters";
import { MaskedNote } from "../../features/sign-in/viewer";
import { pageMeta } from "../../forms/page-meta";
import { fromReplica, screenLoader } from "../../http/answers.server";
import { requireUser } from "../../http/guards.server";
import { paths } from "../../paths";
import { MessageBlock } from "../../ui/feedback/message-block";
import { ExportLink, ListScreen } from "../../ui/list/list-screen";
import { useListUrl } from "../../ui/table/list-url";
import { transactionColumns } from "./columns";
import { loadTransactions } from "./list-screen.server";
import { describeNoMatch, StoppedNote } from "./stopped-search";

export const meta = pageMeta();

export const loader = screenLoader(requireUser, fromReplica(loadTransactions));

export default function Transactions() {
  const list = useLoaderData<typeof loader>();
  const urlOf = useListUrl(transactionList);
  const more = list.isBackward
    ? urlOf({ page: `${list.page - 1}`, before: list.previous ?? "" })
    : urlOf({ page: `${list.page + 1}`, after: list.next ?? "" });
  return (
    <ListScreen
      title="Transactions"
      actions={<ExportLink to={paths.transactionsCsv} filters={list.filters} />}
      notes={
        // A search that stopped has not reached what is archived.
        list.stoppedAt !== null && list.rows.length > 0 ? (
          <StoppedNote {...list} stoppedAt={list.stoppedAt} more={more} />
        ) : (
          list.archived && <MessageBlock kind="info">{list.archived}</MessageBlock>
        )
      }
      tools={<MaskedNote />}
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
      noMatch={describeNoMatch(list, more)}
    />
  );
}
