// Without script: order and pages are links, the boxes are sent with the button that deletes.
import { Link, useSearchParams } from "@remix-run/react";
import { pageSearch } from "../../lists/list-params";
import { Button, IconRowLink } from "../../ui/form/button";
import { ListTable, RowCount } from "../../ui/list/list-table";
import { useListUrl } from "../../ui/table/list-url";
import type { Column } from "../../ui/table/table";
import { rowActions } from "../../ui/table/row-actions.css";
import * as table from "../../ui/table/table.css";
import { note } from "#styles/global.css";
import * as css from "../demo.css";
import { pictureUrl } from "../pictures/picture-names";
import { formatRating, money, type Product } from "./product";
import { managementPath, productList } from "./product-list";

type Row = Pick<
  Product,
  "img" | "title" | "subtitle" | "price" | "rating" | "status" | "process"
> & { id: string };

type ProductTableData = {
  rows: readonly Row[];
  /** Ids of the ticked products, on other pages too. */
  selected: readonly string[];
  total: number;
  page: number;
  perPage: number;
  sort: string;
  isReadOnly: boolean;
};

const bulkForm = "bulk";
/** Parameters that hold the ticked products. */
const selectionParams = ["ids", "selected"];

export function ProductTable({ list }: { list: ProductTableData }) {
  const { selected, total, isReadOnly } = list;
  const listSearch = pageSearch(useSearchParams()[0], selectionParams);
  const columns: Column<Row>[] = [
    { heading: "ID", sort: "id", isNumber: true, cell: ({ id }) => id },
    {
      heading: "Image",
      isBare: true,
      className: css.beforeName,
      cell: ({ img }) => <img src={pictureUrl(img)} alt="" width={60} height={40} loading="lazy" />,
    },
    {
      heading: "Title",
      sort: "title",
      isRowHeader: true,
      cell: ({ id, title }) => <a href={`/app/ecommerce/product/${id}`}>{title || "Untitled"}</a>,
    },
    {
      heading: "Subtitle",
      sort: "subtitle",
      className: table.twoLines,
      cell: ({ subtitle }) => subtitle,
    },
    { heading: "Price", sort: "price", isNumber: true, cell: ({ price }) => money.format(price) },
    {
      heading: "Rating",
      sort: "rating",
      isNumber: true,
      cell: ({ rating }) => formatRating(rating),
    },
  ];
  if (list.rows[0]?.status)
    columns.push({ heading: "Status", cell: ({ status, process }) => `${status}, ${process}` });
  return (
    <ListTable
      caption="Products"
      list={productList}
      data={list}
      columns={
        isReadOnly ? columns : [selectColumn(selected), ...columns, actionsColumn(listSearch)]
      }
      tools={
        <>
          <RowCount total={total} noun="product" />
          {!isReadOnly && <SelectionTools list={list} />}
        </>
      }
    />
  );
}

const nameOf = ({ id, title }: Row) => `${title || "Untitled"} (${id})`;

const selectColumn = (selected: readonly string[]): Column<Row> => ({
  heading: "Select",
  isSelection: true,
  cell: (row) => (
    <input
      type="checkbox"
      name="ids"
      value={row.id}
      form={bulkForm}
      // Browsers restore ticks by their place, where another row may be by then.
      autoComplete="off"
      defaultChecked={selected.includes(row.id)}
      aria-label={`Select ${nameOf(row)}`}
    />
  ),
});

/** @param listSearch the query string of the list, to which the confirmation leads back */
const actionsColumn = (listSearch: string): Column<Row> => ({
  heading: "Actions",
  hasActions: true,
  isBare: true,
  cell: (row) => (
    <div className={rowActions}>
      <IconRowLink
        icon="edit"
        label={`Edit ${nameOf(row)}`}
        href={`${managementPath}/edit/${row.id}`}
      />
      <IconRowLink
        icon="trash"
        label={`Delete ${nameOf(row)}`}
        href={`${managementPath}/delete${listSearch ? `${listSearch}&` : "?"}ids=${row.id}`}
      />
    </div>
  ),
});

/** Says what is selected, selects all, and deletes what is selected, on other pages too. */
function SelectionTools({ list: { rows, selected, total } }: { list: ProductTableData }) {
  const url = useListUrl(productList);
  const elsewhere = selected.filter((id) => !rows.some((row) => row.id === id));
  const isAll = selected.length === total;
  const hidden = [
    ...Object.entries(url.params).filter(([name]) => !selectionParams.includes(name)),
    ...elsewhere.map((id) => ["ids", id] as const),
  ];
  return (
    <>
      {selected.length > 0 && (
        <span className={note}>
          {selected.length} selected
          {elsewhere.length > 0 && `, ${elsewhere.length} on other pages`}
        </span>
      )}
      <Link to={url({ selected: isAll ? "" : "all", ids: "" })} className={css.target}>
        {isAll ? "Clear selection" : `Select all ${total}`}
      </Link>
      <form id={bulkForm} action={`${managementPath}/delete`}>
        {hidden.map(([name, value]) => (
          <input key={name + value} type="hidden" name={name} value={value} />
        ))}
        <Button icon="trash">Delete selected</Button>
      </form>
    </>
  );
}
