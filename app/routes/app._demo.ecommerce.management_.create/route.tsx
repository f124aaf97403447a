import "../../demo/demo.css";
import { requireProductEditor } from "../../demo/guard.server";
import { createProductValidator, productDefaults, toFields } from "../../demo/store/product";
import { ProductForm } from "../../demo/store/product-form";
import { managementPath } from "../../demo/store/product-list";
import { createProduct } from "../../demo/store/products.server";
import { pageMeta } from "../../forms/page-meta";
import { keepForm } from "../../forms/validator";
import { screenLoader } from "../../http/answers.server";
import { formAction, newForm } from "../../http/form-action.server";

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

export const clientAction = keepForm("The product could not be created.");

export default function NewProduct() {
  return (
    <ProductForm
      title="New product"
      verb="Save"
      validator={createProductValidator}
      values={toFields(productDefaults)}
    />
  );
}
