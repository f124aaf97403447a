// Without script: the same; a form that is not accepted comes back filled.
import { integrationValidator } from "../../features/integrations/integration";
import { Form, FormSubmit, TextField } from "../../ui/validated-form/form";
import { IdempotencyKey } from "../../ui/form/idempotency-key";
import { FormCard } from "../../ui/layout/detail";

export function NewIntegration() {
  return (
    <FormCard title="New integration">
      <Form id="new-integration" validator={integrationValidator}>
        <IdempotencyKey />
        <TextField name="name" label="Name" hint="Required. Such as your vending platform." />
        <FormSubmit pendingLabel="Creating..." label="Create integration" />
      </Form>
    </FormCard>
  );
}
