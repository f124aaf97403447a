import { restoreMassGeneration } from "../../features/promotions/lifecycle/promotion-lifecycle.server";
import { askGenerationRestoring } from "../../features/promotions/lifecycle/questions";
import { confirmGeneration } from "../../http/confirm-route.server";
import { requireAdmin } from "../../http/guards.server";

const { loader, action } = confirmGeneration({
  guard: requireAdmin,
  ask: askGenerationRestoring,
  change: restoreMassGeneration,
  done: "restored",
});
export { action, loader };
export { clientAction, meta, ConfirmRoute as default } from "../../ui/overlay/confirm-dialog";
