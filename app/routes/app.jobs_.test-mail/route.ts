import { sendTestMail } from "../../features/mail/outbox.server";
import { queuedMessage } from "../../features/outgoing/outgoing.server";
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
    const mail = `A test mail to ${actor.email}`;
    return queuedMessage(
      { kind: "success", text: `${mail} is on its way` },
      `${mail} will be sent`,
    );
  },
});
export { action, loader };

export const clientAction = stayOnPage("Error sending test mail");
