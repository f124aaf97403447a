// Without script: the same.
import { Link } from "@remix-run/react";
import { maxTransactions } from "../../features/redemptions/machine-activity";
import { TransactionBadge } from "../../features/transactions/transaction-badge";
import { paths } from "../../paths";
import { Section } from "../../ui/layout/page";
import { Table } from "../../ui/table/table";
import * as table from "../../ui/table/table.css";
import { code, muted } from "#styles/global.css";
import * as css from "./machine-page.css";
import type { PageView } from "./page-view";

/** The newest ones; the screen of transactions has them all. */
export function Transactions({ page: { machine, transactions } }: { page: PageView }) {
  return (
    <Section title="Recent transactions">
      {transactions.length === 0 ? (
        <p className={muted}>No code was redeemed here yet.</p>
      ) : (
        <Table
          id="transactions"
          caption="Recent transactions"
          head={
            <>
              <th scope="col">Time</th>
              <th scope="col">Promotion</th>
              <th scope="col" className={table.number}>
                Price
              </th>
              <th scope="col" className={table.number}>
                Discount
              </th>
              <th scope="col" className={table.number}>
                Paid
              </th>
              <th scope="col">Status</th>
            </>
          }
          footer={
            transactions.length === maxTransactions && (
              <Link to={paths.transactionsOf(machine.serialNumber)}>
                All transactions of this machine
              </Link>
            )
          }
        >
          {transactions.map((row) => (
            <tr key={row.id}>
              <th scope="row" className={table.name}>
                <time dateTime={row.at.iso}>{row.at.words}</time>
              </th>
              <td data-label="Promotion" className={css.subject}>
                <a href={paths.promotion(row.promotion.id)}>{row.promotion.name}</a>
                <span className={code}>{row.promotion.code}</span>
              </td>
              <td data-label="Price" className={table.number}>
                {row.price}
              </td>
              <td data-label="Discount" className={table.number}>
                {row.discount} <span className={muted}>({row.savings})</span>
              </td>
              <td data-label="Paid" className={table.number}>
                {row.paid}
              </td>
              <td className={table.status}>
                <TransactionBadge status={row.status} />
              </td>
            </tr>
          ))}
        </Table>
      )}
    </Section>
  );
}
