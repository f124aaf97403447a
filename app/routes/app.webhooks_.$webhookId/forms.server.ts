import { queuedMessage } from "../../features/outgoing/outgoing.server";
import { passwordOnlyValidator } from "../../features/people/profile-forms";
import {
  redeliverPeriod,
  sendTestEvent,
  sendWaitingNow,
} from "../../features/webhooks/redeliver.server";
import {
  editWebhookValidator,
  periodValidator,
  webhookIntents,
} from "../../features/webhooks/webhook";
import {
  editWebhook,
  endPreviousSecret,
  rotateSecret,
  setEnabled,
} from "../../features/webhooks/webhooks.server";
import { countOf } from "../../format/number";
import { checked, confirmed, showOnce, type FormPost } from "../../http/form-action.server";
import { pageSearch } from "../../lists/list-params";
import { paths } from "../../paths";

const idOf = ({ params }: FormPost) => params.webhookId ?? "";
const back = (post: FormPost, text: string) => ({
  to: paths.webhook(idOf(post)) + pageSearch(new URL(post.request.url).searchParams),
  text,
});

const switchTo = (isEnabled: boolean) => async (post: FormPost) => {
  const { changed } = await setEnabled(idOf(post), isEnabled, post.options);
  const state = isEnabled ? "enabled" : "disabled";
  return changed
    ? back(post, `Webhook successfully ${state}`)
    : { ...back(post, `Webhook was already ${state}`), kind: "info" as const };
};

export const webhookForms = {
  [webhookIntents.save]: checked(
    editWebhookValidator,
    confirmed(async (values, post) => {
      await editWebhook(idOf(post), values, post.options);
      return back(post, "Webhook successfully updated");
    }),
  ),
  [webhookIntents.enable]: switchTo(true),
  [webhookIntents.disable]: switchTo(false),
  [webhookIntents.test]: async (post: FormPost) => {
    await sendTestEvent(idOf(post), post.options);
    const message = back(post, "A test event is on its way. The log shows the result.");
    return queuedMessage(message, "A test event will be sent");
  },
  [webhookIntents.sendNow]: async (post: FormPost) => {
    const count = await sendWaitingNow(idOf(post), post.options);
    const message =
      count === 0
        ? { ...back(post, "All waiting events are already being sent"), kind: "info" as const }
        : back(post, `${countOf(count, "event")} will be sent now. The log shows the result.`);
    return queuedMessage(message, "All waiting events will be sent");
  },
  /** The new secret is in this one answer and never in an address or a message. */
  [webhookIntents.rotate]: checked(
    passwordOnlyValidator,
    confirmed(async (_input, post) => {
      const { secret } = await rotateSecret(idOf(post), post.options);
      return showOnce(
        { secret },
        "The secret was rotated, but the new one was not shown. Rotate it again.",
      );
    }),
  ),
  [webhookIntents.endPrevious]: async (post: FormPost) => {
    await endPreviousSecret(idOf(post), post.options);
    return back(post, "Calls are signed with the new secret alone");
  },
  [webhookIntents.redeliverPeriod]: checked(periodValidator, async (period, post) => {
    const count = await redeliverPeriod(idOf(post), period, post.options);
    const none = "No such events in this period, or they already wait";
    if (count === 0) return { ...back(post, none), kind: "info" as const };
    const text = `${countOf(count, "event")} will be sent again`;
    return queuedMessage(back(post, text), text);
  }),
};
