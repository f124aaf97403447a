// Without script: a plain post; the pictures are radio buttons.
import { useActionData, useLoaderData } from "@remix-run/react";
import { ButtonLink } from "../../ui/form/button";
import { Form, FormSubmit, RadioGroup, TextArea, TextField } from "../../ui/validated-form/form";
import { IdempotencyKey } from "../../ui/form/idempotency-key";
import { VersionField } from "../../ui/validated-form/version-field";
import { formCard } from "../../ui/layout/layout.css";
import { Card, Page } from "../../ui/layout/page";
import * as css from "../demo.css";
import { capitalize, pictureUrl, productPictures } from "../pictures/picture-names";
import { createProductValidator, editProductValidator } from "./product";
import { managementPath } from "./product-list";

const images = Object.fromEntries(
  productPictures.map((name) => [
    name,
    <span key={name} className={css.imageChoice}>
      <img src={pictureUrl(name)} alt="" width={90} height={60} className={css.picture} />
      {capitalize(name)}
    </span>,
  ]),
);

type FormData = {
  values: Record<string, string>;
  /** The version that an edit is based on; a product without one is new. */
  version?: number;
};
type Answer = { version?: string | null; repopulateFields?: Record<string, string> };

/** The form of a new product, and of one that exists. */
export default function ProductForm() {
  const { values, version } = useLoaderData<FormData>();
  const answer = useActionData<Answer>();
  const isNew = version === undefined;
  return (
    <Page title={isNew ? "New product" : "Edit product"}>
      <Card className={formCard}>
        <Form<Record<string, unknown>>
          id="product"
          validator={isNew ? createProductValidator : editProductValidator}
          defaultValues={{ ...values, ...answer?.repopulateFields }}
        >
          {isNew ? <IdempotencyKey /> : <VersionField version={version} />}
          <RadioGroup name="img" legend="Image" options={images} />
          <TextField name="title" label="Title" />
          <TextField name="subtitle" label="Subtitle" />
          <TextField name="price" label="Price" inputMode="decimal" width="short" />
          <TextField name="discount" label="Discount in %" inputMode="decimal" width="short" />
          <TextArea name="description_1" label="Description 1" />
          <TextArea name="description_2" label="Description 2" />
          <TextField name="code" label="Code" width="medium" />
          <TextField name="hashtag" label="Hashtag" width="medium" />
          <TextField name="technology" label="Technology" hint="Words separated by spaces." />
          <TextField name="rating" label="Rating" inputMode="decimal" width="short" />
          <FormSubmit pendingLabel="Saving..." label={isNew ? "Save" : "Edit"}>
            <ButtonLink to={managementPath} reloadDocument>
              Back
            </ButtonLink>
          </FormSubmit>
        </Form>
      </Card>
    </Page>
  );
}
