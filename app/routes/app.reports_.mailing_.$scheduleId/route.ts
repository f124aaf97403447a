import { invalid } from "../../errors";
import { queuedMessage } from "../../features/outgoing/outgoing.server";
import { scheduleIntents } from "../../features/report-schedules/report-schedule";
import { setPaused } from "../../features/report-schedules/schedules.server";
import { sendTestReport } from "../../features/report-schedules/send-reports.server";
import { catchNetworkErrors } from "../../forms/network-errors";
import { immediateRoute } from "../../http/confirm-route.server";
import { requireAdmin } from "../../http/guards.server";
import { paths } from "../../paths";

const { loader, action } = immediateRoute({
  guard: requireAdmin,
  back: () => paths.reportSchedules,
  async run({ params: { scheduleId = "" }, field, options }) {
    const intent = field("intent");
    if (intent === scheduleIntents.test) {
      await sendTestReport(scheduleId, options);
      const report = `A test report to ${options.actor.email}`;
      const message = { kind: "success", text: `${report} is on its way` } as const;
      return queuedMessage(message, `${report} will be sent`);
    }
    if (intent !== scheduleIntents.pause && intent !== scheduleIntents.resume)
      throw invalid("Choose what to do with the schedule.");
    const isPaused = intent === scheduleIntents.pause;
    const { changed } = await setPaused(scheduleId, isPaused, options);
    const state = isPaused ? "paused" : "resumed";
    return changed
      ? { kind: "success", text: `Schedule successfully ${state}` }
      : { kind: "info", text: `Schedule was already ${state}` };
  },
});
export { action, loader };

export const clientAction = catchNetworkErrors("Error changing schedule");
