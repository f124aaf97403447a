// Without script: a form that leads to the page of the webhook.
import { paths } from "../../paths";
import { PostButton } from "../../ui/form/post-button";
import { webhookIntents } from "./webhook";

/** Sends what waits for a webhook at once, and not only when the next attempt is due. */
export function SendNow({ id, size = "medium" }: { id: string; size?: "small" | "medium" }) {
  return (
    <PostButton
      intent={webhookIntents.sendNow}
      action={paths.webhook(id)}
      keySuffix={id}
      pendingLabel="Sending..."
      size={size}
    >
      Send now
    </PostButton>
  );
}
