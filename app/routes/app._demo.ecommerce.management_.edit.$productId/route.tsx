import { useActionData, useLoaderData } from "@remix-run/react";
import "../../demo/demo.css";
import { requireProductEditor } from "../../demo/guard.server";
import { editProductValidator, toFields } from "../../demo/store/product";
import { ProductForm } from "../../demo/store/product-form";
import { managementPath } from "../../demo/store/product-list";
import { editProduct, getProduct } from "../../demo/store/products.server";
import { pageMeta } from "../../forms/page-meta";
import { keepForm } from "../../forms/validator";
import { screenLoader } from "../../http/answers.server";
import { formAction, newForm } from "../../http/form-action.server";

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

export const clientAction = keepForm("The product could not be changed.");

export default function EditProduct() {
  const { values, version } = useLoaderData<typeof loader>();
  const answer = useActionData<{
    version?: string | null;
    repopulateFields?: Record<string, string>;
  }>();
  return (
    <ProductForm
      title="Edit product"
      verb="Edit"
      validator={editProductValidator}
      values={{ ...values, ...answer?.repopulateFields }}
      version={Number(answer?.version ?? version)}
    />
  );
}
