import { pageMeta } from "../../forms/page-meta";
import { formAction, formLoader } from "../../http/form-action.server";
import { requireProductEditor } from "../demo.server";
import { createProductValidator, productDefaults, toFields } from "../store/product";
import { managementPath } from "../store/product-list";
import { createProduct } from "../store/products.server";

export const handle = { hydrate: false };
export const meta = pageMeta("New product");

export const loader = formLoader(requireProductEditor, async () => ({
  values: toFields(productDefaults),
}));

export const action = formAction({
  guard: requireProductEditor,
  validator: createProductValidator,
  async run(values, { options }) {
    await createProduct(values, options);
    return { to: managementPath, text: "Product created" };
  },
});

export { default } from "../store/product-form.static";
