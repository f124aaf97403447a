import { deleteMassGeneration } from "../../features/promotions/lifecycle/promotion-lifecycle.server";
import { askGenerationDeletion } from "../../features/promotions/lifecycle/questions";
import { confirmGeneration } from "../../http/confirm-route.server";
import { requireUser } from "../../http/guards.server";

const { loader, action } = confirmGeneration({
  guard: requireUser,
  ask: askGenerationDeletion,
  change: deleteMassGeneration,
  done: "deleted",
});
export { action, loader };
export { clientAction, meta, ConfirmRoute as default } from "../../ui/overlay/confirm-dialog";
