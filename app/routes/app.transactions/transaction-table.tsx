// Without script: the same; pages are links.
import { code, muted } from "#styles/global.css";
import { TransactionBadge } from "../../features/transactions/transaction-badge";
import { transactionList } from "../../features/transactions/transaction-filters";
import type { TransactionView } from "../../features/transactions/transaction";
import { paths } from "../../paths";
import { ListTable, type Column } from "../../ui/table/table";
import * as table from "../../ui/table/table.css";
import type { TransactionListData } from "./route";

const columns: Column<TransactionView>[] = [
  {
    heading: "Time",
    isRowHeader: true,
    className: `${table.name} ${table.moment}`,
    cell: ({ at }) => at,
  },
  {
    heading: "Promotion",
    className: table.twoLines,
    cell: ({ promotion }) => (
      <>
        <a href={paths.promotion(promotion.id)}>{promotion.name}</a>
        <span className={code}>{promotion.code}</span>
      </>
    ),
  },
  {
    heading: "Machine",
    className: table.twoLines,
    cell: ({ machine }) => (
      <>
        <a href={paths.machine(machine.serialNumber)}>{machine.serialNumber}</a>
        <span className={muted}>{machine.humanName}</span>
      </>
    ),
  },
  { heading: "Type", cell: ({ type }) => type },
  { heading: "Original price", isNumber: true, cell: ({ originalPrice }) => originalPrice },
  { heading: "Discount", isNumber: true, cell: ({ discount }) => discount },
  { heading: "Discounted price", isNumber: true, cell: ({ discountedPrice }) => discountedPrice },
  { heading: "Savings", isNumber: true, cell: ({ savings }) => savings },
  {
    heading: "Status",
    isBare: true,
    className: table.status,
    cell: ({ status }) => <TransactionBadge status={status} />,
  },
];

export function TransactionTable({ list }: { list: TransactionListData }) {
  return <ListTable caption="Transactions" list={transactionList} data={list} columns={columns} />;
}
