// Without script: order and pages are links, the boxes are sent with the button that deletes.
import { Link } from "@remix-run/react";
import { Button, IconRowLink } from "../../ui/form/button";
import { ListTable, RowCount } from "../../ui/table/list-table";
import { useListUrl } from "../../ui/table/list-url";
import type { Column } from "../../ui/table/table";
import * as table from "../../ui/table/table.css";
import { note } from "#styles/global.css";
import * as css from "../demo.css";
import { pictureUrl } from "../pictures/picture-names";
import { formatRating, money } from "./product";
import { managementPath, productList } from "./product-list";

type Row = {
  id: string;
  img: string;
  title: string;
  subtitle: string;
  price: number;
  rating: number;
};

type ProductTableProps = {
  list: {
    rows: readonly Row[];
    /** Ids of the ticked products, on other pages too. */
    selected: readonly string[];
    total: number;
    page: number;
    perPage: number;
    sort: string;
    isReadOnly: boolean;
  };
};

const bulkForm = "bulk";

export function ProductTable({ list }: ProductTableProps) {
  const url = useListUrl(productList);
  const { rows, selected, total, isReadOnly } = list;
  const elsewhere = selected.filter((id) => !rows.some((row) => row.id === id));
  const columns: Column<Row>[] = [
    {
      heading: "Select",
      isSelection: true,
      cell: ({ id, title }) => (
        <input
          type="checkbox"
          name="ids"
          value={id}
          form={bulkForm}
          defaultChecked={selected.includes(id)}
          aria-label={`Select ${title || "Untitled"} (${id})`}
        />
      ),
    },
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
    {
      heading: "Actions",
      hasActions: true,
      isBare: true,
      cell: ({ id, title }) => (
        <div className={table.rowActions}>
          <IconRowLink
            icon="edit"
            label={`Edit ${title || "Untitled"} (${id})`}
            href={`/app/ecommerce/management/edit/${id}`}
          />
          <IconRowLink
            icon="trash"
            label={`Delete ${title || "Untitled"} (${id})`}
            href={`${managementPath}/delete?ids=${id}`}
          />
        </div>
      ),
    },
  ];
  const isAll = selected.length === total;
  const tools = (
    <>
      <RowCount total={total} noun="product" />
      {!isReadOnly && (
        <>
          {selected.length > 0 && (
            <span className={note}>
              {selected.length} selected
              {elsewhere.length > 0 && `, ${elsewhere.length} on other pages`}
            </span>
          )}
          <Link to={url({ select: isAll ? "" : "all", ids: "" })} className={css.target}>
            {isAll ? "Clear selection" : `Select all ${total}`}
          </Link>
          <form id={bulkForm} action={`${managementPath}/delete`} className={css.edge}>
            {Object.entries(url.params).map(
              ([name, value]) =>
                !["ids", "select"].includes(name) && (
                  <input key={name} type="hidden" name={name} value={value} />
                ),
            )}
            {elsewhere.map((id) => (
              <input key={id} type="hidden" name="ids" value={id} />
            ))}
            <Button icon="trash">Delete selected</Button>
          </form>
        </>
      )}
    </>
  );
  const shown = isReadOnly
    ? columns.filter(({ heading }) => heading !== "Select" && heading !== "Actions")
    : columns;
  return (
    <ListTable caption="Products" list={productList} data={list} columns={shown} tools={tools} />
  );
}
