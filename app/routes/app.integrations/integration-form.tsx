// Without script: the same form; a refused one comes back filled.
import { useNavigation } from "@remix-run/react";
import { useFormContext } from "remix-validated-form";
import { integrationValidator } from "../../features/integrations/integration";
import { paths } from "../../paths";
import { Form, IdempotencyKey } from "../../ui/form/form";
import * as formStyles from "../../ui/form/form.css";
import { SubmitButton } from "../../ui/form/submit-button";
import { TextField } from "../../ui/form/text-field";
import { Card, Section } from "../../ui/layout/page";

export function IntegrationForm({ idempotencyKey }: { idempotencyKey: string }) {
  return (
    <Section title="New integration">
      <Card>
        <Form id="new-integration" validator={integrationValidator}>
          <IdempotencyKey value={idempotencyKey} />
          <TextField
            name="name"
            label="Name"
            hint="Of the system that redeems codes, as people here call it."
          />
          <div className={formStyles.formActions}>
            <CreateButton />
          </div>
        </Form>
      </Card>
    </Section>
  );
}

function CreateButton() {
  const { isSubmitting } = useFormContext();
  const { state, formAction } = useNavigation();
  const isPending = state !== "idle" && formAction === paths.integrations;
  return (
    <SubmitButton isPending={isPending || isSubmitting} pendingLabel="Creating...">
      Create integration
    </SubmitButton>
  );
}
