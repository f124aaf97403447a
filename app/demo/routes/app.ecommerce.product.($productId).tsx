import { useLoaderData } from "@remix-run/react";
import { pageMeta } from "../../forms/page-meta";
import { screenLoader } from "../../http/answers.server";
import { requireDemo } from "../demo.server";
import { ProductDetail } from "../store/product-detail";
import { getProduct, loadProducts, productNotFound } from "../store/products.server";

type Data = { product: { title: string } };

export const handle = {
  hydrate: false,
  nameOf: ({ product }: Data) => product.title || "Untitled",
};
export const meta = pageMeta<Data>((data) => data?.product.title || "Product");

/** Without an id it shows the first product. */
export const loader = screenLoader(requireDemo, async ({ params }) => {
  const { productId } = params;
  const product = productId ? await getProduct(productId) : (await loadProducts())[0];
  if (!product) throw productNotFound();
  return { product };
});

export default function Product() {
  return <ProductDetail {...useLoaderData<typeof loader>()} />;
}
