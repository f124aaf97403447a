import { useLoaderData } from "@remix-run/react";
import { visuallyHidden } from "#styles/global.css";
import * as css from "../demo.css";
import { requireDemo } from "../demo.server";
import { ProductCards } from "../store/product-detail";
import { filterGrid, gridFilters } from "../store/product-list";
import { loadProducts } from "../store/products.server";
import { parseFilters } from "../../lists/parse-list";
import { countOf } from "../../format/number";
import { pageMeta } from "../../forms/page-meta";
import { screenLoader } from "../../http/answers.server";
import { Button } from "../../ui/form/button";
import { SelectField } from "../../ui/form/field";
import { Page } from "../../ui/layout/page";
import { EmptyState, ListNotes } from "../../ui/table/list-notes";

export const handle = { hydrate: false };
export const meta = pageMeta("Product grid");

export const loader = screenLoader(requireDemo, async ({ request }) => {
  const params = new URL(request.url).searchParams;
  const { filters, errors } = parseFilters(gridFilters, params);
  return {
    products: filterGrid(await loadProducts(), filters),
    chosen: filters as Record<string, string | null>,
    messages: Object.values(gridFilters).flatMap(({ param, label }) =>
      errors[param] ? `The value of “${label}” is not valid, so this filter is ignored` : [],
    ),
  };
});

/** Without script: the same, a GET form whose choices are in the address. */
export default function ProductGrid() {
  const { products, chosen, messages } = useLoaderData<typeof loader>();
  return (
    <Page title="Product grid">
      <ListNotes list={{ messages }} />
      <form role="search" className={css.filters}>
        {Object.values(gridFilters).map(({ param, label, choices = {} }) => (
          <SelectField key={param} name={param} label={label} defaultValue={chosen[param] ?? ""}>
            {param !== "sort" && <option value="">All</option>}
            {Object.entries(choices).map(([value, words]) => (
              <option key={value} value={value}>
                {words}
              </option>
            ))}
          </SelectField>
        ))}
        <Button variant="primary">Apply</Button>
      </form>
      <p role="status" className={css.section}>
        {countOf(products.length, "product")}
      </p>
      {products.length === 0 ? (
        <EmptyState
          icon="search"
          title="No products found"
          reason="No product matches all of the filters."
          action={<a href="/app/ecommerce/gridproducts">Show all products</a>}
        />
      ) : (
        <>
          <h2 className={visuallyHidden}>Products</h2>
          <ProductCards products={products} />
        </>
      )}
    </Page>
  );
}
