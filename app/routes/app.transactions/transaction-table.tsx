// Without script: the same; pages are links.
import { useSearchParams } from "@remix-run/react";
import { code, muted } from "#styles/global.css";
import { pageSizes } from "../../features/transactions/transaction-filters";
import { TransactionBadge } from "../../features/transactions/transaction-badge";
import type { TransactionView } from "../../features/transactions/transaction-view";
import { paths } from "../../paths";
import { useListAddress } from "../../ui/table/list-address";
import { Pagination } from "../../ui/table/pagination";
import { Table } from "../../ui/table/table";
import * as table from "../../ui/table/table.css";
import type { TransactionListData } from "./route";

export function TransactionTable({ list }: { list: TransactionListData }) {
  const address = useListAddress();
  const [params] = useSearchParams();
  const first = (list.page - 1) * list.perPage + 1;
  const passing = ["f", "page", "after", "before", "per_page"];
  const number = { scope: "col", className: table.number };
  return (
    <Table
      caption="Transactions"
      head={
        <>
          <th scope="col">Time</th>
          <th scope="col">Promotion</th>
          <th scope="col">Machine</th>
          <th scope="col">Type</th>
          <th {...number}>Original price</th>
          <th {...number}>Discount</th>
          <th {...number}>Discounted price</th>
          <th {...number}>Savings</th>
          <th scope="col">Status</th>
        </>
      }
      footer={
        <Pagination
          first={first}
          last={first + list.rows.length - 1}
          total={list.total.count}
          isTotalCapped={list.total.isCapped}
          previous={
            list.previous && list.page > 1
              ? address({ page: `${list.page - 1}`, before: list.previous })
              : null
          }
          next={list.next && address({ page: `${list.page + 1}`, after: list.next })}
          perPage={list.perPage}
          perPageChoices={pageSizes}
          kept={Object.fromEntries([...params].filter(([name]) => !passing.includes(name)))}
        />
      }
    >
      {list.rows.map((row) => (
        <TransactionLine key={row.id} row={row} />
      ))}
    </Table>
  );
}

function TransactionLine({ row }: { row: TransactionView }) {
  const { promotion, machine } = row;
  return (
    <tr>
      <th scope="row" className={`${table.name} ${table.moment}`}>
        {row.at}
      </th>
      <td data-label="Promotion" className={table.twoLines}>
        <a href={paths.promotion(promotion.id)}>{promotion.name}</a>
        <span className={code}>{promotion.code}</span>
      </td>
      <td data-label="Machine" className={table.twoLines}>
        <a href={paths.machine(machine.serialNumber)}>{machine.serialNumber}</a>
        <span className={muted}>{machine.humanName}</span>
      </td>
      <td data-label="Type">{row.type}</td>
      <td data-label="Original price" className={table.number}>
        {row.originalPrice}
      </td>
      <td data-label="Discount" className={table.number}>
        {row.discount}
      </td>
      <td data-label="Discounted price" className={table.number}>
        {row.discountedPrice}
      </td>
      <td data-label="Savings" className={table.number}>
        {row.savings}
      </td>
      <td className={table.status}>
        <TransactionBadge status={row.status} />
      </td>
    </tr>
  );
}
