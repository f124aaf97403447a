import { sendAgain } from "../../features/mail/outbox.server";
import { keepPage } from "../../forms/network-errors";
import { immediateRoute } from "../../http/confirm-route.server";
import { requireAdmin } from "../../http/guards.server";
import { paths } from "../../paths";

const { loader, action } = immediateRoute({
  guard: requireAdmin,
  back: () => paths.mail,
  async run({ params }, { actor }) {
    const { changed } = await sendAgain(params.mailId ?? "", { actor });
    return changed
      ? { kind: "success", text: "The mail will be sent again" }
      : { kind: "info", text: "The mail is already waiting to be sent" };
  },
});
export { action, loader };

export const clientAction = keepPage("Error sending mail");
