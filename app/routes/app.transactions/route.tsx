import { json, type SerializeFrom } from "@remix-run/node";
import { Link, useLoaderData } from "@remix-run/react";
import { muted } from "#styles/global.css";
import { SerialSuggestions } from "../../features/machines/serial-suggestions";
import { transactionTabs } from "../../features/redemptions/refusal-list";
import { TransactionBadge } from "../../features/transactions/transaction-badge";
import type { TransactionView } from "../../features/transactions/transaction";
import { transactionList } from "../../features/transactions/transaction-filters";
import { pageMeta } from "../../forms/page-meta";
import { screenLoader } from "../../http/answers.server";
import { requireUser } from "../../http/guards.server";
import { paths } from "../../paths";
import { MessageBlock } from "../../ui/feedback/message-block";
import { ButtonLink } from "../../ui/form/button";
import { Card, LinkTabs, Page } from "../../ui/layout/page";
import { ListNotes } from "../../ui/table/list-notes";
import { FilterBar } from "../../ui/table/filter-bar";
import { useListUrl } from "../../ui/table/list-url";
import { ListTable, RowCount } from "../../ui/table/list-table";
import { LinkedCode, type Column } from "../../ui/table/table";
import * as table from "../../ui/table/table.css";
import { readTransactionScreen } from "./list-screen.server";
import { NoRows } from "./no-rows";

export type TransactionListData = SerializeFrom<typeof loader>;

export const handle = { hasTable: ({ rows }: TransactionListData) => rows.length > 0 };

export const meta = pageMeta("Transactions");

export const loader = screenLoader(requireUser, async (args) => {
  const { data, headers } = await readTransactionScreen(args.request);
  return json(data, { headers });
});

/** A figure that no longer counts once the redemption is rolled back (RULES R5). */
function Counted({ status, children }: Pick<TransactionView, "status"> & { children: string }) {
  return status === "rolled_back" ? <s className={muted}>{children}</s> : children;
}

const columns: Column<TransactionView>[] = [
  {
    heading: "Created",
    isRowHeader: true,
    className: table.moment,
    cell: ({ at }) => at,
  },
  {
    heading: "Promotion",
    isBare: true,
    className: table.twoLines,
    cell: ({ promotion, type }) => <LinkedCode {...promotion} note={[type]} />,
  },
  {
    heading: "Machine",
    isBare: true,
    className: table.twoLines,
    cell: ({ machine }) => (
      <>
        <a href={paths.machine(machine.serialNumber)}>{machine.serialNumber}</a>{" "}
        <span className={muted}>{machine.humanName}</span>
      </>
    ),
  },
  { heading: "Type", isWide: true, cell: ({ type }) => type },
  {
    heading: "Original price",
    isNumber: true,

    cell: ({ originalPrice }) => originalPrice,
  },
  {
    heading: "Discount",
    isNumber: true,
    cell: ({ discount, status }) => <Counted status={status}>{discount}</Counted>,
  },
  {
    heading: "Discounted price",
    isNumber: true,

    cell: ({ discountedPrice }) => discountedPrice,
  },
  {
    heading: "Savings",
    isNumber: true,
    cell: ({ savings, status }) => <Counted status={status}>{savings}</Counted>,
  },
  { heading: "Status", isBadge: true, cell: ({ status }) => <TransactionBadge status={status} /> },
];

export default function Transactions() {
  const list = useLoaderData<typeof loader>();
  const filters = list.filters as [string, string][];
  const older = useListUrl(transactionList)({ page: `${list.page + 1}`, after: list.next ?? "" });
  return (
    <Page
      title="Transactions"
      actions={
        <ButtonLink
          to={`${paths.transactionsCsv}?${new URLSearchParams(filters)}`}
          reloadDocument
          icon="download"
        >
          Export CSV
        </ButtonLink>
      }
    >
      <ListNotes list={list}>
        {list.stoppedAt !== null && list.rows.length > 0 && (
          <MessageBlock kind="info">
            {`Searched back to ${list.stoppedAt}. `}
            <Link to={older} preventScrollReset>
              Load older
            </Link>
          </MessageBlock>
        )}
      </ListNotes>
      <LinkTabs label="Views" tabs={transactionTabs} />
      <FilterBar
        list={transactionList}
        data={list}
        options={{ integration: list.integrations as [string, string][] }}
        suggestions={list.machines.length > 0 ? { machine: "machines" } : {}}
      >
        <SerialSuggestions id="machines" machines={list.machines} />
      </FilterBar>
      {list.rows.length === 0 ? (
        <Card>
          <NoRows list={list} older={older} />
        </Card>
      ) : (
        <ListTable
          caption="Transactions"
          list={transactionList}
          data={list}
          columns={columns}
          tools={<RowCount total={list.total} noun="transaction" />}
        />
      )}
    </Page>
  );
}
