// Without script: the same; the order is a link in each header, and so is each number of rows.
import { Link } from "@remix-run/react";
import { TransactionBadge } from "../../features/transactions/transaction-badge";
import { MaskedNote } from "../../features/sign-in/viewer";
import type { TransactionView } from "../../features/transactions/transaction";
import { paths } from "../../paths";
import { Icon } from "../../ui/icon/icon";
import { CardSection } from "../../ui/layout/detail";
import { actions } from "../../ui/layout/layout.css";
import { HeaderCell, LinkedCode, LinkedMachine, Table, type Column } from "../../ui/table/table";
import { sortLink } from "../../ui/table/sort-link.css";
import * as table from "../../ui/table/table.css";
import { muted, visuallyHidden } from "#styles/global.css";
import * as css from "./dashboard.css";
import type { DashboardData } from "./route";

const columns: Column<TransactionView>[] = [
  {
    heading: "Time",
    sort: "created",
    isRowHeader: true,
    className: `${table.timestamp} ${table.withNote}`,
    cell: ({ occurredAt }) => occurredAt,
  },
  {
    heading: "Code",
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
    cell: ({ machine }) => <LinkedMachine {...machine} />,
  },
  { heading: "Type", sort: "type", isWide: true, cell: ({ type }) => type },
  {
    heading: "Price",
    sort: "price",
    isNumber: true,
    cell: ({ originalPrice, discountedPrice, discount }) => (
      <>
        {`${originalPrice} → ${discountedPrice} `}
        <small className={`${table.detail} ${table.folded}`}>{`${discount} off`}</small>
      </>
    ),
  },
  {
    heading: "Discount",
    sort: "discount",
    isNumber: true,
    isWide: true,
    cell: ({ discount }) => discount,
  },
  {
    heading: "Status",
    sort: "status",
    isBadge: true,
    cell: ({ status }) => <TransactionBadge status={status} />,
  },
];

export function RecentTransactions({ data }: { data: DashboardData }) {
  if (data.rows.length === 0)
    return (
      <CardSection title="Recent Transactions">
        <p className={muted}>{data.archived ?? "No redemptions yet."}</p>
        <p className={actions}>
          <Link to={paths.transactions}>All transactions</Link>
        </p>
      </CardSection>
    );
  const sortable = columns.map((column) => {
    const { to, direction } = data.recent.sorts.find(({ by }) => by === column.sort)!;
    const header = (
      <HeaderCell column={column} aria-sort={direction ?? undefined}>
        <Link
          to={to}
          preventScrollReset
          aria-current={direction ? "true" : undefined}
          className={sortLink}
        >
          {column.heading}
          {direction && (
            <Icon name={direction === "ascending" ? "arrow-up" : "arrow-down"} size="small" />
          )}
        </Link>
      </HeaderCell>
    );
    return { ...column, header };
  });
  return (
    <Table
      title="Recent Transactions"
      columns={sortable}
      rows={data.rows}
      tools={
        <>
          <MaskedNote />
          <span className={actions}>
            <Link to={paths.transactions} className={css.all}>
              All<span className={visuallyHidden}> transactions</span>
            </Link>
          </span>
        </>
      }
      footer={
        <nav aria-label="Rows" className={css.choices}>
          Rows{" "}
          {data.recent.sizes.map(({ size, to, isCurrent }) => (
            <Link
              key={size}
              to={to}
              preventScrollReset
              aria-current={isCurrent ? "true" : undefined}
              className={css.count}
            >
              {isCurrent ? <b>{size}</b> : size}
            </Link>
          ))}
        </nav>
      }
    />
  );
}
