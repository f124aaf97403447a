// Without script: the order is a link in each header.
import type { ComponentProps, ReactNode } from "react";
import { type List } from "../../lists/list";
import { formatSort } from "../../lists/list-params";
import { parseSort } from "../../lists/parse-list";
import { countOf } from "../../format/number";
import { Icon } from "../icon/icon";
import { useListUrl } from "../table/list-url";
import { Pagination, type ListPage } from "../table/pagination";
import { type Column, HeaderCell, Table } from "../table/table";
import { sortLink } from "../table/sort-link.css";
import * as css from "../table/table.css";

/** The rows of a list that its definition describes, with sortable headers and pages. */
export function ListTable<Row extends { id: string }>({
  list,
  data,
  columns,
  ...table
}: {
  list: List;
  data: ListPage & { sort?: string; rows: readonly Row[] };
} & Omit<ComponentProps<typeof Table<Row>>, "rows" | "rowKey" | "footer">) {
  const url = useListUrl(list);
  const sorted = data.sort === undefined ? null : parseSort(list, data.sort);
  const directionOf = (by: string) =>
    sorted?.by === by ? (sorted.isDescending ? "descending" : "ascending") : undefined;
  const orderOf = ({ heading, sort: by = "" }: Column<Row>) => {
    const direction = directionOf(by);
    // Another press turns the order round.
    const isDescending = direction ? !sorted?.isDescending : list.sorts[by] === "descending";
    return (
      <a
        href={url({ sort: formatSort({ by, isDescending }) })}
        className={sortLink}
        aria-current={direction && "true"}
      >
        {breakable(heading)}
        {direction && (
          <Icon name={direction === "ascending" ? "arrow-up" : "arrow-down"} size="small" />
        )}
      </a>
    );
  };
  const sortable = columns.filter(({ sort = "" }) => sort in list.sorts);
  const folded = sortable.filter(({ isFolded }) => isFolded);
  const sortableColumns = columns.map((column) => {
    if (!sortable.includes(column)) return column;
    const header = (
      <HeaderCell column={column} aria-sort={directionOf(column.sort!)}>
        {orderOf(column)}
        {column.isRowHeader &&
          folded.map((other) => (
            <span key={other.heading} className={css.folded}>
              {"\u00a0· "}
              {orderOf(other)}
            </span>
          ))}
      </HeaderCell>
    );
    return { ...column, header };
  });
  return (
    <Table
      {...table}
      columns={sortableColumns}
      rows={data.rows}
      footer={
        <Pagination
          page={data}
          rowCount={data.rows.length}
          urlOf={url}
          pageSizes={list.pageSizes}
          params={url.params}
        />
      }
    />
  );
}

/** 'Discount/Free' may break behind its slash. */
function breakable(heading: string): ReactNode {
  const [start, end] = heading.split("/");
  if (end === undefined) return heading;
  // One item of the link: Firefox puts a gap between its texts.
  return (
    <span>
      {start}/<wbr />
      {end}
    </span>
  );
}

/** Says at the left of the tools how many rows there are; a noun takes an 's'. */
export function RowCount({
  total,
  noun,
  children,
}: {
  total: ListPage["total"];
  noun: string;
  children?: ReactNode;
}) {
  return (
    <p className={css.count}>
      {countOf(total, noun)}
      {children}
    </p>
  );
}
