import { getMassGeneration } from "../../features/mass-generations/mass-generation.server";
import { restoreMassGeneration } from "../../features/promotions/lifecycle/promotion-lifecycle.server";
import { formatCodes } from "../../format/promotion";
import { confirmRoute } from "../../http/confirm-route.server";
import { requireAdmin } from "../../http/guards.server";
import { paths } from "../../paths";

const { loader, action } = confirmRoute({
  guard: requireAdmin,
  async ask({ params }) {
    const { id, name, numCodes } = await getMassGeneration(params.generationId ?? "");
    const codes = formatCodes(numCodes);
    return {
      pageTitle: "Confirm restoring - QR Generation",
      title: "Restore the whole mass generation?",
      consequences: [
        `All ${codes} of the mass generation ‘${name}’ are restored, each as it was before.`,
      ],
      verb: `Restore ${codes}`,
      pendingVerb: "Restoring...",
      isDangerous: false,
      closeTo: paths.generation(id),
      returnFocusTo: "retire",
      failure: "Error restoring mass generation",
    };
  },
  async run({ params: { generationId = "" } }, { actor }) {
    await restoreMassGeneration(generationId, { actor });
    return { to: paths.generation(generationId), text: "Mass Generation successfully restored" };
  },
});
export { action, loader };

export {
  ConfirmRoute as default,
  confirmClientAction as clientAction,
  questionMeta as meta,
} from "../../ui/overlay/confirm-dialog";
