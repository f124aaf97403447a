import { DomainError } from "../../errors";
import { alertIntents } from "../../features/alerts/alert";
import { dismissAlert, muteAlert, restoreAlert } from "../../features/alerts/alerts.server";
import { stayOnPage } from "../../forms/network-errors";
import { immediateRoute } from "../../http/confirm-route.server";
import { requireEditor, safeRedirectPath } from "../../http/guards.server";
import { undoIntent } from "../../lists/list-params";
import { paths } from "../../paths";

const { loader, action } = immediateRoute({
  guard: requireEditor,
  back: (_args, { posted }) => safeRedirectPath(posted?.get("returnTo"), paths.alerts),
  async run({ params: { alertId = "" } }, { actor }, posted) {
    const intent = posted.get("intent");
    const undoPath = paths.alert(alertId);
    if (intent === alertIntents.dismiss) {
      const { changed } = await dismissAlert(alertId, { actor });
      return changed
        ? { kind: "success", text: "Alert dismissed", undoPath }
        : { kind: "info", text: "This alert was already dismissed", undoPath };
    }
    if (intent === alertIntents.mute) {
      const { changed } = await muteAlert(alertId, { actor });
      return changed
        ? { kind: "success", text: "Alert muted for a week", undoPath }
        : { kind: "info", text: "This alert was already muted", undoPath };
    }
    if (intent !== undoIntent)
      throw new DomainError("invalid", "Choose what to do with the alert.");
    const { changed } = await restoreAlert(alertId, { actor });
    return changed
      ? { kind: "success", text: "Alert restored" }
      : { kind: "info", text: "This alert was already restored" };
  },
});
export { action, loader };

export const clientAction = stayOnPage("Error changing alert");
