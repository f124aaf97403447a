import { DomainError } from "../../errors";
import { historyOf } from "../../features/activity/audit-log.server";
import { countPendingOfGroup } from "../../features/approvals/list-approvals.server";
import {
  deleteMachineGroup,
  previewGroupDeletion,
} from "../../features/assignments/group-assignments.server";
import { describeDeletion } from "../../features/machines/machine-group";
import { getMachineGroup } from "../../features/machines/machine-groups.server";
import { alreadyDone } from "../../features/promotions/lifecycle/questions";
import { countOf } from "../../format/number";
import { parseRecordId } from "../../forms/record-id";
import { confirmRoute } from "../../http/confirm-route.server";
import { requireEditor } from "../../http/guards.server";
import { paths } from "../../paths";

const { loader, action } = confirmRoute({
  guard: requireEditor,
  async ask({ params }) {
    const { id, name } = await getMachineGroup(params.groupId ?? "");
    const requests = await countPendingOfGroup(id);
    return {
      title: "Confirm deletion of machine group",
      question: `Delete the group "${name}"?`,
      consequences: [
        ...describeDeletion(await previewGroupDeletion(id)),
        ...(requests > 0
          ? [
              `${countOf(requests, "request")} for codes for this group ${requests === 1 ? "waits" : "wait"} for a second admin, and can't be approved without it.`,
            ]
          : []),
      ],
      verb: "Delete group",
      pendingVerb: "Deleting...",
      isDangerous: true,
      closeTo: paths.machineGroup(id),
      failure: "Error deleting machine group",
    };
  },
  async run({ params: { groupId = "" }, options }) {
    const to = paths.machineGroups;
    try {
      await deleteMachineGroup(groupId, options);
      return { to, text: "Machine group successfully deleted" };
    } catch (cause) {
      // A group that was deleted has a history; one that never existed has none.
      const id = parseRecordId(groupId);
      const isGone = cause instanceof DomainError && cause.reason === "not_found" && id !== null;
      if (!isGone || (await historyOf("machine_group", id)).length === 0) throw cause;
      return { to, kind: "info", text: alreadyDone("machine group", "deleted") };
    }
  },
});
export { action, loader };

export { clientAction, meta, ConfirmRoute as default } from "../../ui/modal/confirm-dialog";
