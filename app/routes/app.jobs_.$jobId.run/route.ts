import { runNow } from "../../features/jobs/jobs.server";
import { queuedMessage } from "../../features/outgoing/outgoing.server";
import { catchNetworkErrors } from "../../forms/network-errors";
import { immediateRoute } from "../../http/confirm-route.server";
import { requireAdmin, safeRedirectPath } from "../../http/guards.server";
import type { NewMessage } from "../../http/messages.server";
import { paths } from "../../paths";

const { loader, action } = immediateRoute({
  guard: requireAdmin,
  back: (_args, { posted }) => safeRedirectPath(posted?.get("returnTo"), paths.jobs),
  async run({ params, options }) {
    const { changed, isOutgoing } = await runNow(params.jobId ?? "", options);
    const message: NewMessage = changed
      ? { kind: "success", text: "The job will run now" }
      : { kind: "info", text: "The job is already waiting to run" };
    return isOutgoing ? queuedMessage(message, "The job will run") : message;
  },
});
export { action, loader };

export const clientAction = catchNetworkErrors("Error running job");
