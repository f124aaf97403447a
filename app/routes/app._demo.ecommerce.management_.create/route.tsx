import { demoCrumbs } from "../../demo/crumbs";
import "../../demo/demo.css";
import { requireProductEditor } from "../../demo/guard.server";
import { createProductValidator } from "../../demo/store/product";
import { managementPath } from "../../demo/store/product-list";
import { createProduct } from "../../demo/store/products.server";
import { pageMeta } from "../../forms/page-meta";
import { screenLoader } from "../../http/answers.server";
import { formAction, newForm } from "../../http/form-action.server";

export const handle = { hydrate: false, crumbs: demoCrumbs };

export const meta = pageMeta("New product");

export const loader = screenLoader(requireProductEditor, async (args) => newForm(args));

export const action = formAction({
  guard: requireProductEditor,
  validator: createProductValidator,
  async run(values, { options }) {
    await createProduct(values, options);
    return { to: managementPath, text: "Product created" };
  },
});

export { default } from "./page.static";
