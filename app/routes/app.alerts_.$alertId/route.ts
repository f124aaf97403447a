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

/** Returns the list as it was filtered: rows have its address in a field, 'Undo' in its own address. */
function listOf({ url }: Request, posted?: FormData): string {
  const field = posted?.get("returnTo") ?? new URL(url).searchParams.get("returnTo");
  return safeRedirectPath(field, paths.alerts);
}

const { loader, action } = immediateRoute({
  guard: requireEditor,
  back: ({ request }, { posted }) => listOf(request, posted),
  async run({ request, posted, params: { alertId = "" }, field, options }) {
    const intent = field("intent");
    if (!Object.hasOwn(changes, intent)) throw invalid("Choose what to do with the alert.");
    const [change, done, already] = changes[intent]!;
    const { changed } = await change(alertId, options);
    const returnTo = new URLSearchParams({ returnTo: listOf(request, posted) });
    const undoPath = intent === undoIntent ? null : `${paths.alert(alertId)}?${returnTo}`;
    return { kind: changed ? "success" : "info", text: changed ? done : already, undoPath };
  },
});
export { action, loader };

export const clientAction = catchNetworkErrors("Error changing alert");
