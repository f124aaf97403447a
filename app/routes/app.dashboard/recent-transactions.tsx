// Without script: the order is a link in each header, the number of rows a form.
import { Link } from "@remix-run/react";
import { recentList } from "../../features/dashboard/recent-transactions";
import { TransactionBadge } from "../../features/transactions/transaction-badge";
import type { TransactionView } from "../../features/transactions/transaction";
import { paths } from "../../paths";
import { ListTable } from "../../ui/table/list-table";
import { LinkedCode, type Column } from "../../ui/table/table";
import * as table from "../../ui/table/table.css";
import { muted } from "#styles/global.css";
import type { DashboardData } from "./route";

const columns: Column<TransactionView>[] = [
  {
    heading: "Time",
    sort: "created",
    isRowHeader: true,
    className: `${table.name} ${table.moment}`,
    cell: ({ at }) => at,
  },
  {
    heading: "Promotion",
    sort: "promotion",
    isBare: true,
    className: table.twoLines,
    cell: ({ promotion, type }) => <LinkedCode {...promotion} note={[type]} />,
  },
  {
    heading: "Machine",
    sort: "machine",
    isBare: true,
    className: table.twoLines,
    cell: ({ machine }) => (
      <>
        <a href={paths.machine(machine.serialNumber)}>{machine.serialNumber}</a>{" "}
        <span className={muted}>{machine.humanName}</span>
      </>
    ),
  },
  {
    heading: "Price",
    sort: "price",
    isNumber: true,
    cell: ({ originalPrice, discountedPrice }) => `${originalPrice} → ${discountedPrice}`,
  },
  { heading: "Discount", sort: "discount", isNumber: true, cell: ({ discount }) => discount },
  {
    heading: "Status",
    sort: "status",
    isBadge: true,
    cell: ({ status }) => <TransactionBadge status={status} />,
  },
];

export function RecentTransactions({ data }: { data: DashboardData }) {
  return (
    <ListTable
      title="Recent Transactions"
      caption="Recent Transactions"
      list={recentList}
      data={{ ...data, rows: data.rows as TransactionView[] }}
      columns={columns}
      isOnePage
      tools={<Link to={paths.transactions}>All transactions</Link>}
    />
  );
}
