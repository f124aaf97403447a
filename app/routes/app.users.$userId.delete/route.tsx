import { deleteUser, getManagedUser } from "../../features/people/user-admin.server";
import {
  countSchedulesOf,
  replaceRecipient,
} from "../../features/report-schedules/schedules.server";
import { countOf } from "../../format/number";
import { pageSearch } from "../../lists/list-params";
import { orList } from "../../http/answers.server";
import { confirmRoute } from "../../http/confirm-route.server";
import { requireAdmin } from "../../http/guards.server";
import { paths } from "../../paths";

const { loader, action } = confirmRoute({
  guard: requireAdmin,
  asksPassword: true,
  async ask({ params }, session) {
    const { email } = await orList(session, paths.users, getManagedUser(params.userId ?? ""));
    const reports = await countSchedulesOf(email);
    return {
      title: "Confirm delete",
      question: "Are you sure you want to delete this item?",
      consequences: [
        `The account ${email}, its sessions and its keys are deleted. Codes and history entries of this user stay.`,
        ...(reports > 0
          ? [
              `The address is removed from ${countOf(reports, "report")} by mail. A report without another recipient is removed, too.`,
            ]
          : []),
        "This can't be undone.",
      ],
      verb: "Agree",
      pendingVerb: "Deleting...",
      cancel: "Disagree",
      isDangerous: true,
      closeTo: paths.users,
      failure: "Error deleting user",
    };
  },
  async run({ params, request, options: { actor } }) {
    await deleteUser(params.userId ?? "", { actor, onNewEmail: replaceRecipient });
    const to = paths.users + pageSearch(new URL(request.url).searchParams);
    return { to, text: "User successfully deleted" };
  },
  gone: { to: paths.users, text: "This user is already deleted." },
});
export { action, loader };

export const handle = { crumbs: { delete: "Delete user" } };

export { clientAction, meta, ConfirmRoute as default } from "../../ui/modal/confirm-dialog";
