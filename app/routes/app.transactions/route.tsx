import { useLoaderData } from "@remix-run/react";
import { SerialSuggestions } from "../../features/machines/serial-suggestions";
import { transactionTabs } from "../../features/redemptions/refusal-list";
import type { TransactionView } from "../../features/transactions/transaction";
import { TransactionBadge } from "../../features/transactions/transaction-badge";
import { transactionList } from "../../features/transactions/transaction-filters";
import { MaskedNote } from "../../features/sign-in/viewer";
import { pageMeta } from "../../forms/page-meta";
import { fromReplica, screenLoader } from "../../http/answers.server";
import { requireUser } from "../../http/guards.server";
import { paths } from "../../paths";
import { MessageBlock } from "../../ui/feedback/message-block";
import { ExportLink, ListScreen } from "../../ui/list/list-screen";
import { useListUrl } from "../../ui/table/list-url";
import { LinkedCode, machineColumn, timeColumn, type Column } from "../../ui/table/table";
import * as table from "../../ui/table/table.css";
import { muted } from "#styles/global.css";
import { loadTransactions } from "./list-screen.server";
import { describeNoMatch, StoppedNote } from "./stopped-search";

export const meta = pageMeta();

export const loader = screenLoader(requireUser, fromReplica(loadTransactions));

/** Builds the column of a figure that no longer counts once the redemption is rolled back (RULES R5). */
const countedColumn = (heading: string, name: "discount" | "savings"): Column<TransactionView> => ({
  heading,
  isNumber: true,
  cell: ({ status, [name]: figure }) =>
    status === "rolled_back" ? <s className={muted}>{figure}</s> : figure,
});

const columns: Column<TransactionView>[] = [
  timeColumn,
  {
    heading: "Code",
    isBare: true,
    className: table.twoLines,
    cell: ({ promotion, type }) => <LinkedCode {...promotion} note={[type]} />,
  },
  machineColumn,
  { heading: "Type", isWide: true, cell: ({ type }) => type },
  { heading: "Price", isNumber: true, cell: ({ originalPrice }) => originalPrice },
  countedColumn("Discount", "discount"),
  { heading: "Paid", isNumber: true, cell: ({ discountedPrice }) => discountedPrice },
  countedColumn("Savings", "savings"),
  { heading: "Status", isBadge: true, cell: ({ status }) => <TransactionBadge status={status} /> },
];

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
      columns={columns}
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
