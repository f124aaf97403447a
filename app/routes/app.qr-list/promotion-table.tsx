import { useFetchers } from "@remix-run/react";
import { Fragment, useEffect, type ReactNode } from "react";
import { listColumns, type ListColumn } from "../../features/promotions/list/list-columns";
import {
  pageSizes,
  parseSort,
  promotionSorts,
  type PromotionSort,
} from "../../features/promotions/list/promotion-filters";
import { cachePromotions } from "../../features/promotions/list/list-cache";
import type { PromotionView } from "../../features/promotions/promotion-view";
import { StatusBadge } from "../../features/promotions/status-badge";
import { paths } from "../../paths";
import { Badge } from "../../ui/feedback/badge";
import { preloadModal } from "../../ui/overlay/dialog-route";
import { Pagination } from "../../ui/table/pagination";
import { SortHeader } from "../../ui/table/sort-link";
import { Table } from "../../ui/table/table";
import { code } from "#styles/global.css";
import * as table from "../../ui/table/table.css";
import { SelectCell, SelectHeader } from "./bulk-bar";
import type { PromotionListData } from "./list-cache";
import { ListTools } from "./list-tools";
import { useListUrl } from "./list-url";
import { optimisticRows } from "./optimistic-rows";
import { RowActions } from "./row-actions";

/** Without script: the same; order and page are links. */
export function PromotionTable({ list }: { list: PromotionListData }) {
  const listUrl = useListUrl();
  const rows = optimisticRows(list.rows, useFetchers());
  useEffect(() => cachePromotions(list.rows), [list.rows]);
  const first = (list.page - 1) * list.perPage + 1;
  const sorted = parseSort(list.sort)!;
  const withoutPerPage = { ...listUrl.kept };
  delete withoutPerPage.per_page;
  const isShown = (column: ListColumn) => !(list.hidden as string[]).includes(column);

  const sortable = (by: string, words: ReactNode, isNumber = false) => {
    const isSorted = sorted.by === by;
    // Figures and dates are looked for from the top, names from the beginning.
    const startsDescending = by !== "name";
    const toDescending = isSorted ? !sorted.isDescending : startsDescending;
    return (
      <SortHeader
        to={listUrl({ sort: toDescending ? `-${by}` : by })}
        sorted={isSorted ? (sorted.isDescending ? "descending" : "ascending") : null}
        isNumber={isNumber}
      >
        {words}
      </SortHeader>
    );
  };

  return (
    <Table
      caption="Promotions"
      onApproach={preloadModal}
      tools={<ListTools list={list} />}
      head={
        <>
          <SelectHeader />
          {sortable("name", "Name")}
          {columns.map(([column, words]) => {
            const isNumber = column === "used" || column === "usesLeft";
            const by = sortOf(column);
            if (!isShown(column)) return null;
            if (by)
              return (
                <Fragment key={column}>{sortable(by, columnHeadings(words), isNumber)}</Fragment>
              );
            return (
              <th key={column} scope="col" className={isNumber ? table.number : undefined}>
                {words}
              </th>
            );
          })}
          <th scope="col" className={table.number}>
            Actions
          </th>
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
              ? listUrl({ page: `${list.page - 1}`, before: list.previous })
              : null
          }
          next={list.next && listUrl({ page: `${list.page + 1}`, after: list.next })}
          perPage={list.perPage}
          perPageChoices={pageSizes}
          kept={withoutPerPage}
        />
      }
    >
      {rows.map((row) => (
        <PromotionLine key={row.id} row={row} search={listUrl.search} isShown={isShown} />
      ))}
    </Table>
  );
}

function PromotionLine({
  row,
  search,
  isShown,
}: {
  row: PromotionView;
  search: string;
  isShown: (column: ListColumn) => boolean;
}) {
  return (
    <tr>
      <SelectCell id={row.id} name={row.name} />
      <th scope="row" className={table.name}>
        <a href={paths.promotion(row.id)}>{row.name}</a>
        <span className={code}>{row.code}</span>
      </th>
      {columns.map(([column, words]) =>
        isShown(column) ? (
          <td
            key={column}
            data-label={column === "status" ? undefined : words}
            className={cellClasses[column]}
          >
            {cell(row, column)}
          </td>
        ) : null,
      )}
      <td className={table.actions}>
        <RowActions row={row} search={search} />
      </td>
    </tr>
  );
}

const columns = Object.entries(listColumns) as [ListColumn, string][];

const cellClasses: Partial<Record<ListColumn, string>> = {
  created: table.withNote,
  used: table.number,
  usesLeft: table.number,
  status: table.status,
};

/** 'Discount/Free' may break behind its slash. */
function columnHeadings(words: string): ReactNode {
  const [start, end] = words.split("/");
  if (end === undefined) return words;
  return (
    <>
      {start}/<wbr />
      {end}
    </>
  );
}

function sortOf(column: ListColumn): PromotionSort["by"] | undefined {
  return promotionSorts.find((by) => by === column);
}

function cell(row: PromotionView, column: ListColumn): ReactNode {
  if (column === "status") {
    return <StatusBadge status={row.status} />;
  }
  if (column !== "created") return row[column];
  return (
    <>
      {row.created} {row.isNew && <Badge tone="info">new</Badge>}
    </>
  );
}
