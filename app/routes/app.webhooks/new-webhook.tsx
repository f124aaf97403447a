// Without script: the same; a form that is not accepted comes back filled but for the password.
import { useActionData } from "@remix-run/react";
import { webhookValidator } from "../../features/webhooks/webhook";
import { WebhookFields } from "../../features/webhooks/webhook-fields";
import { Form, FormSubmit, PasswordAgain } from "../../ui/validated-form/form";
import { IdempotencyKey } from "../../ui/form/idempotency-key";
import { FormCard } from "../../ui/layout/detail";

export function NewWebhook() {
  const answer = useActionData<{ secret?: string }>();
  return (
    <FormCard title="New webhook">
      {/* After a webhook was made it is empty again. */}
      <Form
        key={answer?.secret ?? ""}
        id="new-webhook"
        validator={webhookValidator}
        defaultValues={{ url: "", events: ["promotion.redeemed"] }}
      >
        <IdempotencyKey />
        <WebhookFields />
        <PasswordAgain />
        <FormSubmit pendingLabel="Creating..." label="Create webhook" />
      </Form>
    </FormCard>
  );
}
