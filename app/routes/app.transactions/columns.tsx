import { muted } from "#styles/global.css";
import type { TransactionView } from "../../features/transactions/transaction";
import { TransactionBadge } from "../../features/transactions/transaction-badge";
import { LinkedCode, machineColumn, timeColumn, type Column } from "../../ui/table/table";
import * as table from "../../ui/table/table.css";

/** Builds the column of a figure that no longer counts once the redemption is rolled back (RULES R5). */
const countedColumn = (heading: string, name: "discount" | "savings"): Column<TransactionView> => ({
  heading,
  isNumber: true,
  cell: ({ status, [name]: figure }) =>
    status === "rolled_back" ? <s className={muted}>{figure}</s> : figure,
});

export const transactionColumns: Column<TransactionView>[] = [
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
