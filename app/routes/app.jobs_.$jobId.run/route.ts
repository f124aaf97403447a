import { runNow } from "../../features/jobs/jobs.server";
import { stayOnPage } from "../../forms/network-errors";
import { immediateRoute } from "../../http/confirm-route.server";
import { requireAdmin, safeRedirectPath } from "../../http/guards.server";
import { paths } from "../../paths";

const { loader, action } = immediateRoute({
  guard: requireAdmin,
  back: (_args, { posted }) => safeRedirectPath(posted?.get("returnTo"), paths.jobs),
  async run({ params }, { actor }) {
    const { changed } = await runNow(params.jobId ?? "", { actor });
    return changed
      ? { kind: "success", text: "The job will run now" }
      : { kind: "info", text: "The job is already waiting to run" };
  },
});
export { action, loader };

export const clientAction = stayOnPage("Error running job");
