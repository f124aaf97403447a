import { useLoaderData } from "@remix-run/react";
import { demoCrumbs } from "../../demo/crumbs";
import "../../demo/demo.css";
import { requireDemo } from "../../demo/guard.server";
import { ProductDetail } from "../../demo/store/product-detail";
import { getProduct, loadProducts, productNotFound } from "../../demo/store/products.server";
import { pageMeta } from "../../forms/page-meta";
import { screenLoader } from "../../http/answers.server";

type Data = { product: { title: string } };

export const handle = {
  hydrate: false,
  crumbs: demoCrumbs,
  nameOf: ({ product }: Data) => product.title || "Untitled",
};
export const meta = pageMeta<Data>((data) => data?.product.title || "Product");

/** Without an id it shows the first product. */
export const loader = screenLoader(requireDemo, async ({ params }) => {
  const products = await loadProducts();
  const product = params.productId ? await getProduct(params.productId) : products[0];
  if (!product) throw productNotFound();
  const others = products.filter(({ id }) => id !== product.id).slice(0, 4);
  return { product, others };
});

export default function Product() {
  return <ProductDetail {...useLoaderData<typeof loader>()} />;
}
