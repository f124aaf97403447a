import { invalid } from "../../errors";
import { isMailChoice, mailChoices } from "../../features/alerts/alert";
import { changeMailChoice } from "../../features/alerts/mail-alerts.server";
import { catchNetworkErrors } from "../../forms/network-errors";
import { immediateRoute } from "../../http/confirm-route.server";
import { requireEditor } from "../../http/guards.server";
import { paths } from "../../paths";

const { loader, action } = immediateRoute({
  guard: requireEditor,
  back: () => paths.alerts,
  async run({ field, options }) {
    const choice = field("intent");
    if (!isMailChoice(choice)) throw invalid("Choose when you get mails about alerts.");
    const { changed } = await changeMailChoice(choice, options);
    const text = `Mails about alerts: ${mailChoices[choice].toLowerCase()}`;
    return { kind: changed ? "success" : "info", text };
  },
});
export { action, loader };

export const clientAction = catchNetworkErrors("Error changing mails about alerts");
