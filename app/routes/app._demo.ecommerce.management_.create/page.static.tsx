// Without script: the same.
import { createProductValidator, productDefaults, toFields } from "../../demo/store/product";
import { ProductForm } from "../../demo/store/product-form";

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
