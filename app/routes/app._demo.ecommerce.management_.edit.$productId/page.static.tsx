// Without script: the same.
import { useActionData, useLoaderData } from "@remix-run/react";
import { editProductValidator } from "../../demo/store/product";
import { ProductForm } from "../../demo/store/product-form";
import type { loader } from "./route";

export default function EditProduct() {
  const { values, version } = useLoaderData<typeof loader>();
  const answer = useActionData<{ repopulateFields?: Record<string, string> }>();
  return (
    <ProductForm
      title="Edit product"
      verb="Edit"
      validator={editProductValidator}
      values={{ ...values, ...answer?.repopulateFields }}
      version={version}
    />
  );
}
