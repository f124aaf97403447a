import { conflict } from "../../errors";
import { pageMeta } from "../../forms/page-meta";
import { formAction, formLoader } from "../../http/form-action.server";
import { requireProductEditor } from "../demo.server";
import { editProductValidator, productDefaults, toFields } from "../store/product";
import { managementPath } from "../store/product-list";
import { editProduct, findProduct, productNotFound } from "../store/products.server";

export const handle = { hydrate: false };
export const meta = pageMeta("Edit product");

export const loader = formLoader(requireProductEditor, async ({ params, context }) => {
  const product = await findProduct(params.productId ?? "");
  if (product) return { values: toFields(product), version: product.version };
  // A refused edit of a product that was deleted comes back as it was filled.
  if (context.wasRefused) return { values: toFields(productDefaults), version: 1 };
  throw productNotFound();
});

export const action = formAction({
  guard: requireProductEditor,
  validator: editProductValidator,
  async run({ version, ...values }, { params }) {
    const id = params.productId ?? "";
    if (!(await findProduct(id)))
      throw conflict(
        "This product was deleted, so nothing was saved. Copy what you entered to a new product.",
      );
    await editProduct(id, values, version);
    return { to: managementPath, text: "Product changed" };
  },
});

export { default } from "../store/product-form.static";
