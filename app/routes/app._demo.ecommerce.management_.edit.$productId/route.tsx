import { demoCrumbs } from "../../demo/crumbs";
import "../../demo/demo.css";
import { requireProductEditor } from "../../demo/guard.server";
import { editProductValidator, toFields } from "../../demo/store/product";
import { managementPath } from "../../demo/store/product-list";
import { editProduct, getProduct } from "../../demo/store/products.server";
import { pageMeta } from "../../forms/page-meta";
import { screenLoader } from "../../http/answers.server";
import { formAction, newForm } from "../../http/form-action.server";

export const handle = { hydrate: false, crumbs: demoCrumbs };

export const meta = pageMeta("Edit product");

export const loader = screenLoader(requireProductEditor, async (args) => {
  const product = await getProduct(args.params.productId ?? "");
  return { ...newForm(args), values: toFields(product), version: product.version };
});

export const action = formAction({
  guard: requireProductEditor,
  validator: editProductValidator,
  async run({ values, version }, { params }) {
    await editProduct(params.productId ?? "", values, version);
    return { to: managementPath, text: "Product changed" };
  },
});

export { default } from "./page.static";
