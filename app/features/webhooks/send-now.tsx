// Without script: a form that leads to the page of the webhook, which keeps its filter.
import { visuallyHidden } from "#styles/global.css";
import { paths } from "../../paths";
import { PostButton } from "../../ui/form/post-button";
import { webhookIntents } from "./webhook";

/** Sends what waits for a webhook at once, and not only when the next attempt is due. */
export function SendNow({
  id,
  url,
  size = "medium",
}: {
  id: string;
  /** Tells the buttons of a list apart; left out on the page of the webhook. */
  url?: string;
  size?: "small" | "medium";
}) {
  return (
    <PostButton
      intent={webhookIntents.sendNow}
      action={url && paths.webhook(id)}
      keySuffix={id}
      pendingLabel="Sending..."
      size={size}
    >
      Send now{url && <span className={visuallyHidden}> to {url}</span>}
    </PostButton>
  );
}
