import { muted } from "#styles/global.css";
import type { TransactionView } from "../../features/transactions/transaction";
import { TransactionBadge } from "../../features/transactions/transaction-badge";
import { LinkedCode, LinkedMachine, type Column } from "../../ui/table/table";
import * as table from "../../ui/table/table.css";

/** A figure that no longer counts once the redemption is rolled back (RULES R5). */
function Counted({ status, children }: Pick<TransactionView, "status"> & { children: string }) {
  return status === "rolled_back" ? <s className={muted}>{children}</s> : children;
}

export const transactionColumns: Column<TransactionView>[] = [
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
    cell: ({ machine }) => <LinkedMachine {...machine} />,
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
