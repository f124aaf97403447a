import { sendTestMail } from "../../features/mail/outbox.server";
import { stayOnPage } from "../../forms/network-errors";
import { idempotencyField } from "../../forms/validator";
import { immediateRoute } from "../../http/confirm-route.server";
import { requireAdmin } from "../../http/guards.server";
import { paths } from "../../paths";

const { loader, action } = immediateRoute({
  guard: requireAdmin,
  back: () => paths.outgoingMail,
  async run(_args, { actor }, posted) {
    const idempotencyKey = String(posted.get(idempotencyField) ?? "") || null;
    await sendTestMail({ actor, idempotencyKey });
    return { kind: "success", text: `A test mail to ${actor.email} is on its way` };
  },
});
export { action, loader };

export const clientAction = stayOnPage("Error sending test mail");
