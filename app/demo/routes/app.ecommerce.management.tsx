import { json } from "@remix-run/node";
import { Outlet, useLoaderData } from "@remix-run/react";
import { isReadOnlyFor, requireDemo } from "../demo.server";
import { findProducts, productList } from "../store/product-list";
import { ProductTable } from "../store/product-table";
import { loadProducts } from "../store/products.server";
import { parseFilters } from "../../lists/parse-list";
import { pageMeta } from "../../forms/page-meta";
import { screenLoader } from "../../http/answers.server";
import { listView, readList } from "../../http/list.server";
import { ButtonLink } from "../../ui/form/button";
import { Page } from "../../ui/layout/page";
import { NothingMatches } from "../../ui/list/nothing-matches";
import { EmptyState, ListNotes } from "../../ui/table/list-notes";
import { SearchForm } from "../../ui/list/search-form";
import { hint } from "../../ui/form/form.css";
import * as css from "../demo.css";

export const handle = { hydrate: false, hasTable: () => true };
export const meta = pageMeta("Products");

export const loader = screenLoader(requireDemo, async ({ request }, session) => {
  const { headers, ...list } = readList(request, productList);
  const { filters, errors } = parseFilters(productList.filters, list.params);
  const found = findProducts(await loadProducts(), { ...filters, sort: list.query.sort });
  const { perPage } = list.query;
  const page = Math.min(list.query.page, Math.max(1, Math.ceil(found.length / perPage)));
  const rows = found.slice((page - 1) * perPage, page * perPage);
  const ids = found.map(({ id }) => String(id));
  const isAllSelected = list.params.get("selected") === "all";
  const selected = isAllSelected ? ids : ids.filter((id) => list.params.getAll("ids").includes(id));
  const data = {
    ...listView(productList, list, { errors }),
    search: filters.search,
    rows: rows.map(({ id, img, title, subtitle, price, rating, status, process }) => {
      return { id: String(id), img, title, subtitle, price, rating, status, process };
    }),
    selected,
    total: found.length,
    page,
    isFallback: page !== list.query.page,
    isReadOnly: isReadOnlyFor(session),
  };
  return json(data, { headers });
});

/** Without script: the same. The boxes belong to a form that opens the confirmation. */
export default function Management() {
  const list = useLoaderData<typeof loader>();
  return (
    <Page
      title="Products"
      actions={
        !list.isReadOnly && (
          <ButtonLink to="/app/ecommerce/management/create" variant="primary" icon="plus">
            Create Product
          </ButtonLink>
        )
      }
    >
      <ListNotes list={list} />
      <Outlet />
      <div className={css.section}>
        <SearchForm label="Search by title" hint="Title" query={list} />
        <p className={hint}>The search is case-sensitive: “boots” does not find “Boots”.</p>
      </div>
      {list.total === 0 && list.search === "" ? (
        <EmptyState icon="grid" title="No products yet" />
      ) : list.total === 0 ? (
        <NothingMatches
          list={productList}
          noun="product"
          title="No products found"
          reason="No title contains this text. Capital letters matter."
          clearLabel="Show all products"
        />
      ) : (
        <ProductTable list={list} />
      )}
    </Page>
  );
}
