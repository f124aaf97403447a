// Without script: the same; a form that is not accepted comes back filled but for the password.
import { webhookValidator } from "../../features/webhooks/webhook";
import { WebhookFields } from "../../features/webhooks/webhook-fields";
import { Form, FormSubmit, PasswordAgain } from "../../ui/form/form";
import { IdempotencyKey } from "../../ui/form/idempotency-key";
import { CardSection } from "../../ui/layout/detail";
import { formCard } from "../../ui/layout/layout.css";

type NewWebhookProps = { page: { idempotencyKey: string; needsPassword: boolean } };

export function NewWebhook({ page }: NewWebhookProps) {
  return (
    <div className={formCard}>
      <CardSection title="New webhook">
        <Form
          id="new-webhook"
          validator={webhookValidator}
          defaultValues={{ url: "", events: ["promotion.redeemed"] }}
        >
          <IdempotencyKey value={page.idempotencyKey} />
          <WebhookFields />
          <PasswordAgain isAsked={page.needsPassword} />
          <FormSubmit pendingLabel="Creating..." label="Create webhook" />
        </Form>
      </CardSection>
    </div>
  );
}
