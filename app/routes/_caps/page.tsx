// Without script: a plain form.
import { useLoaderData } from "@remix-run/react";
import { CapFields } from "../../features/caps/cap-fields";
import { capsValidator } from "../../features/caps/cap-forms";
import { pageMeta } from "../../forms/page-meta";
import { ButtonLink } from "../../ui/form/button";
import { IdempotencyKey } from "../../ui/form/idempotency-key";
import { hint } from "../../ui/form/form.css";
import { formCard } from "../../ui/layout/layout.css";
import { Card, FactList, Page } from "../../ui/layout/page";
import { Form, FormSubmit } from "../../ui/validated-form/form";
import { useIsConflict, VersionField } from "../../ui/validated-form/version-field";
import type { loader } from "./caps.server";

export const meta = pageMeta("Caps");

export const handle = { nameOf: ({ name }: { name?: string }) => name ?? "" };

/** Sets what all codes of a campaign may give. It is a page of its own, so that the campaign's page needs no more of forms. */
export function CapsPage() {
  const { page, name, current, values, version } = useLoaderData<typeof loader>();
  const isConflict = useIsConflict();
  return (
    <Page title={`Caps: ${name}`}>
      <Card className={formCard}>
        {isConflict && <FactList facts={[["Current caps", current]]} />}
        <Form id="caps" validator={capsValidator} defaultValues={values}>
          <IdempotencyKey />
          <VersionField version={version} />
          <p className={hint}>Leave a field empty for no cap. Earlier redemptions count, too.</p>
          <CapFields />
          <FormSubmit pendingLabel="Saving..." label="Save caps">
            <ButtonLink to={page}>Cancel</ButtonLink>
          </FormSubmit>
        </Form>
      </Card>
    </Page>
  );
}
