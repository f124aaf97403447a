import { pageMeta } from "../../forms/page-meta";
import { formAction, formLoader } from "../../http/form-action.server";
import { requireProductEditor } from "../demo.server";
import { editProductValidator, toFields } from "../store/product";
import { managementPath } from "../store/product-list";
import { editProduct, getProduct } from "../store/products.server";

export const handle = { hydrate: false };
export const meta = pageMeta("Edit product");

export const loader = formLoader(requireProductEditor, async (args) => {
  const product = await getProduct(args.params.productId ?? "");
  return { values: toFields(product), version: product.version };
});

export const action = formAction({
  guard: requireProductEditor,
  validator: editProductValidator,
  async run({ version, ...values }, { params }) {
    await editProduct(params.productId ?? "", values, version);
    return { to: managementPath, text: "Product changed" };
  },
});

export { default } from "../store/product-form.static";
