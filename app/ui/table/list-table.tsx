// Without script: a plain table; order and page are links.
import { Link } from "@remix-run/react";
import { Fragment, type ComponentProps, type ReactNode } from "react";
import { formatSort, parseSort, type List } from "../../forms/list";
import { Icon } from "../icon/icon";
import { useListUrl } from "./list-url";
import { Pagination, type ListPage } from "./pagination";
import { Table } from "./table";
import * as css from "./table.css";

export type Column<Row> = {
  /** Text of the header, repeated above the value on phones. */
  heading: string;
  /** The order that pressing the header gives. */
  sort?: string;
  isNumber?: boolean;
  /** Its cell names the row. */
  isRowHeader?: boolean;
  /** On phones the value stands without its heading: a badge, or actions. */
  isBare?: boolean;
  /** Style of the cells. */
  className?: string;
  /** Replaces the header cell. */
  header?: ReactNode;
  cell: (row: Row) => ReactNode;
};

/** The rows of a list that its definition describes, with sortable headers and pages. */
export function ListTable<Row extends { id: string }>({
  list,
  data,
  columns,
  footer,
  ...table
}: {
  list: List;
  data: ListPage & { sort?: string; rows: readonly Row[] };
  columns: readonly Column<Row>[];
} & Omit<ComponentProps<typeof Table>, "head" | "children">) {
  const url = useListUrl(list);
  return (
    <Table
      {...table}
      head={headerCells({ list, columns, sort: data.sort, urlOf: url })}
      footer={
        footer ?? (
          <Pagination
            page={data}
            rowCount={data.rows.length}
            urlOf={url}
            pageSizes={list.pageSizes}
            kept={url.kept}
          />
        )
      }
    >
      {data.rows.map((row) => (
        <tr key={row.id}>
          {columns.map(({ heading, isRowHeader, isNumber, isBare, className, cell }) =>
            isRowHeader ? (
              <th key={heading} scope="row" className={className ?? css.name}>
                {cell(row)}
              </th>
            ) : (
              <td
                key={heading}
                data-label={isBare ? undefined : heading}
                className={className ?? (isNumber ? css.number : undefined)}
              >
                {cell(row)}
              </td>
            ),
          )}
        </tr>
      ))}
    </Table>
  );
}

function headerCells<Row>({
  list,
  columns,
  sort,
  urlOf,
}: {
  list: List;
  columns: readonly Column<Row>[];
  sort: string | undefined;
  urlOf: (changes: Record<string, string>) => string;
}): ReactNode {
  const sorted = sort === undefined ? null : parseSort(list, sort);
  return columns.map(({ heading, sort: by, isNumber, header }) => {
    const isSorted = by !== undefined && sorted?.by === by;
    const direction = isSorted && (sorted.isDescending ? "descending" : "ascending");
    if (header) return <Fragment key={heading}>{header}</Fragment>;
    return (
      <th
        key={heading}
        scope="col"
        aria-sort={direction || undefined}
        className={isNumber ? css.number : undefined}
      >
        {by === undefined ? (
          heading
        ) : (
          <Link
            to={urlOf({ sort: nextSort(list, by, direction) })}
            preventScrollReset
            className={css.sortLink}
          >
            {breakable(heading)}
            {direction && (
              <Icon name={direction === "ascending" ? "arrow-up" : "arrow-down"} size="small" />
            )}
          </Link>
        )}
      </th>
    );
  });
}

/** Another press turns the order round. */
function nextSort({ sorts }: List, by: string, direction: string | false): string {
  const isDescending = direction ? direction === "ascending" : sorts[by] === "descending";
  return formatSort({ by, isDescending });
}

/** 'Discount/Free' may break behind its slash. */
function breakable(heading: string): ReactNode {
  const [start, end] = heading.split("/");
  if (end === undefined) return heading;
  return (
    <>
      {start}/<wbr />
      {end}
    </>
  );
}
