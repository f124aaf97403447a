import { resumeOutgoing } from "../../features/outgoing/outgoing.server";
import { catchNetworkErrors } from "../../forms/network-errors";
import { immediateRoute } from "../../http/confirm-route.server";
import { requireAdmin, safeRedirectPath } from "../../http/guards.server";
import { paths } from "../../paths";

const { loader, action } = immediateRoute({
  guard: requireAdmin,
  back: (_args, { posted }) => safeRedirectPath(posted?.get("returnTo"), paths.dashboard),
  async run({ options }) {
    const { changed } = await resumeOutgoing(options);
    return changed
      ? { kind: "success", text: "Outgoing messages resumed" }
      : { kind: "info", text: "Outgoing messages were already resumed" };
  },
});
export { action, loader };

export const clientAction = catchNetworkErrors("Error resuming outgoing messages");
