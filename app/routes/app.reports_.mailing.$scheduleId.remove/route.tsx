import { frequencyLabels } from "../../features/report-schedules/report-schedule";
import { getSchedule, removeSchedule } from "../../features/report-schedules/schedules.server";
import { confirmRoute } from "../../http/confirm-route.server";
import { requireAdmin } from "../../http/guards.server";
import { paths } from "../../paths";

const { loader, action } = confirmRoute({
  guard: requireAdmin,
  async ask({ params }) {
    const { frequency, recipients } = await getSchedule(params.scheduleId ?? "");
    return {
      title: "Confirm removal",
      question: `Remove the ${frequencyLabels[frequency].toLowerCase()} schedule?`,
      consequences: [`These addresses get no further mail from it: ${recipients.join(", ")}.`],
      verb: "Remove schedule",
      pendingVerb: "Removing...",
      isDangerous: true,
      closeTo: paths.reportSchedules,
      failure: "Error removing schedule",
    };
  },
  async run({ params: { scheduleId = "" }, options }) {
    await removeSchedule(scheduleId, options);
    return { to: paths.reportSchedules, text: "Schedule successfully removed" };
  },
  gone: { to: paths.reportSchedules, text: "This schedule is already removed." },
});
export { action, loader };

export { clientAction, meta, ConfirmRoute as default } from "../../ui/modal/confirm-dialog";
