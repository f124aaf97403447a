import { getMassGeneration } from "../../features/mass-generations/mass-generation.server";
import { deleteMassGeneration } from "../../features/promotions/lifecycle/promotion-lifecycle.server";
import { formatCodes } from "../../format/promotion";
import { confirmRoute } from "../../http/confirm-route.server";
import { requireUser } from "../../http/guards.server";
import { paths } from "../../paths";

const { loader, action } = confirmRoute({
  guard: requireUser,
  async ask({ params }) {
    const { id, name, numCodes } = await getMassGeneration(params.generationId ?? "");
    const codes = formatCodes(numCodes);
    return {
      pageTitle: "Confirm deletion of mass generation - QR Generation",
      title: "Confirm deletion of mass generation",
      consequences: [
        `The mass generation ‘${name}’ of ${codes} is marked deleted. All associated promotions are also marked deleted, and machines refuse them from then on.`,
        "An admin can restore it.",
      ],
      verb: `Delete ${codes}`,
      pendingVerb: "Deleting...",
      isDangerous: true,
      closeTo: paths.generation(id),
      returnFocusTo: "retire",
      failure: "Error deleting mass generation",
    };
  },
  async run({ params: { generationId = "" } }, { actor }) {
    await deleteMassGeneration(generationId, { actor });
    return { to: paths.generation(generationId), text: "Mass Generation successfully deleted" };
  },
});
export { action, loader };

export {
  ConfirmRoute as default,
  confirmClientAction as clientAction,
  questionMeta as meta,
} from "../../ui/overlay/confirm-dialog";
