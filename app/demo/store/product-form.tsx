// Without script: a plain post; the pictures are radio buttons.
import { useLoaderData, useNavigation } from "@remix-run/react";
import type { Validator } from "remix-validated-form";
import { ButtonLink } from "../../ui/form/button";
import { Form, FormSubmit, RadioGroup, TextArea, TextField } from "../../ui/form/form";
import { IdempotencyKey } from "../../ui/form/idempotency-key";
import { VersionField } from "../../ui/form/version-field";
import { formCard } from "../../ui/layout/layout.css";
import { Card, Page } from "../../ui/layout/page";
import * as css from "../demo.css";
import { pictureUrl, productPictures } from "../pictures/picture-names";
import { managementPath } from "./product-list";

const images = productPictures.map((name) => ({
  value: name,
  label: (
    <span className={css.imageChoice}>
      <img src={pictureUrl(name)} alt="" width={90} height={60} className={css.thumbnail} />
      {name.charAt(0).toUpperCase() + name.slice(1).replace("-", ", ")}
    </span>
  ),
}));

/** The form of a new product, and of one that exists. */
export function ProductForm<T extends Record<string, unknown>>({
  title,
  verb,
  validator,
  values,
  version,
}: {
  title: string;
  /** The button: 'Save' or 'Edit'. */
  verb: string;
  validator: Validator<T>;
  values: Record<string, string>;
  /** Version that an edit is based on. */
  version?: number;
}) {
  const { idempotencyKey } = useLoaderData<{ idempotencyKey: string }>();
  const isPending = useNavigation().formMethod === "POST";
  return (
    <Page title={title}>
      <Card className={formCard}>
        <Form id="product" validator={validator} defaultValues={values}>
          {version === undefined ? (
            <IdempotencyKey value={idempotencyKey} />
          ) : (
            <VersionField version={version} />
          )}
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
          <FormSubmit
            isPending={isPending}
            pendingLabel={verb === "Save" ? "Saving..." : "Editing..."}
            label={verb}
          >
            <ButtonLink to={managementPath} reloadDocument>
              Back
            </ButtonLink>
          </FormSubmit>
        </Form>
      </Card>
    </Page>
  );
}
