import { getWebhook, removeWebhook } from "../../features/webhooks/webhooks.server";
import { confirmRoute } from "../../http/confirm-route.server";
import { requireAdmin } from "../../http/guards.server";
import { paths } from "../../paths";

const { loader, action } = confirmRoute({
  guard: requireAdmin,
  async ask({ params }) {
    const { id, url } = await getWebhook(params.webhookId ?? "");
    return {
      title: "Confirm removal",
      question: `Remove the webhook to ${url}?`,
      consequences: ["Nothing more is sent to it, and its log of deliveries is deleted."],
      verb: "Remove webhook",
      pendingVerb: "Removing...",
      isDangerous: true,
      closeTo: paths.webhook(id),
      returnFocusTo: "remove-webhook",
      failure: "Error removing webhook",
    };
  },
  async run({ params: { webhookId = "" }, options }) {
    await removeWebhook(webhookId, options);
    return { to: paths.webhooks, text: "Webhook successfully removed" };
  },
  gone: { to: paths.webhooks, text: "This webhook is already removed." },
});
export { action, loader };

export { clientAction, meta, ConfirmRoute as default } from "../../ui/modal/confirm-dialog";
