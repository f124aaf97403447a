import { invalid } from "../../errors";
import { alertIntents } from "../../features/alerts/alert";
import { dismissAlert, muteAlert, restoreAlert } from "../../features/alerts/alerts.server";
import { catchNetworkErrors } from "../../forms/network-errors";
import { immediateRoute } from "../../http/confirm-route.server";
import { requireEditor, safeRedirectPath } from "../../http/guards.server";
import { undoIntent } from "../../lists/list-params";
import { paths } from "../../paths";

const changes: Record<string, [change: typeof dismissAlert, done: string, already: string]> = {
  [alertIntents.dismiss]: [dismissAlert, "Alert dismissed", "This alert was already dismissed"],
  [alertIntents.mute]: [muteAlert, "Alert muted for a week", "This alert was already muted"],
  [undoIntent]: [restoreAlert, "Alert restored", "This alert was already restored"],
};

const { loader, action } = immediateRoute({
  guard: requireEditor,
  back: (_args, { posted }) => safeRedirectPath(posted?.get("returnTo"), paths.alerts),
  async run({ params: { alertId = "" }, field, options }) {
    const intent = field("intent");
    if (!Object.hasOwn(changes, intent)) throw invalid("Choose what to do with the alert.");
    const [change, done, already] = changes[intent]!;
    const { changed } = await change(alertId, options);
    const undoPath = intent === undoIntent ? null : paths.alert(alertId);
    return { kind: changed ? "success" : "info", text: changed ? done : already, undoPath };
  },
});
export { action, loader };

export const clientAction = catchNetworkErrors("Error changing alert");
