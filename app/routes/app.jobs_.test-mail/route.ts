import { sendTestMail } from "../../features/mail/outbox.server";
import { queuedMessage } from "../../features/outgoing/outgoing.server";
import { catchNetworkErrors } from "../../forms/network-errors";
import { immediateRoute } from "../../http/confirm-route.server";
import { requireAdmin } from "../../http/guards.server";
import { paths } from "../../paths";

const { loader, action } = immediateRoute({
  guard: requireAdmin,
  back: () => paths.outgoingMail,
  async run({ options }) {
    await sendTestMail(options);
    const mail = `A test mail to ${options.actor.email}`;
    return queuedMessage(
      { kind: "success", text: `${mail} is on its way` },
      `${mail} will be sent`,
    );
  },
});
export { action, loader };

export const clientAction = catchNetworkErrors("Error sending test mail");
