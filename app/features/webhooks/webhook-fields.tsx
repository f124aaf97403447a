// Without script: the same.
import { useLoaderData } from "@remix-run/react";
import { MessageBlock } from "../../ui/feedback/message-block";
import { RadioGroup, TextField } from "../../ui/validated-form/form";
import { SecretField } from "../sign-in/secret-field";
import { Card } from "../../ui/layout/page";
import { parts } from "../../ui/layout/layout.css";
import { eventTypes } from "../events/event";

/** Fields of a webhook, new or old, on a page that says which addresses the site allows. */
export function WebhookFields() {
  const { allowsPrivate } = useLoaderData<{ allowsPrivate: boolean }>();
  return (
    <>
      <TextField
        name="url"
        label="Address"
        hint={`Required. Events are posted to it as JSON. It begins with https:// ${allowsPrivate ? "or http://, and may be" : "and is not"} in a private network.`}
        inputMode="url"
        autoComplete="off"
        spellCheck={false}
      />
      <RadioGroup type="checkbox" name="events" legend="Events" options={eventTypes} />
    </>
  );
}

/** Shows the secret of a webhook. It exists in this page only; leaving the page loses it. */
export function NewWebhookSecret({ secret, children }: { secret: string; children: string }) {
  return (
    <Card className={parts}>
      <div role="status">
        <MessageBlock kind="success">{children}</MessageBlock>
      </div>
      <SecretField
        label="Signing secret"
        hint="It is shown only once. The receiver verifies the header 'webhook-signature' with it, as the Standard Webhooks specification says. Store it like a password."
        secret={secret}
      />
    </Card>
  );
}
