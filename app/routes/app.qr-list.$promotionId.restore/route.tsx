import { restorePromotion } from "../../features/promotions/lifecycle/promotion-lifecycle.server";
import { askRestoring } from "../../features/promotions/lifecycle/questions";
import { confirmPromotion } from "../../http/confirm-route.server";
import { requireAdmin } from "../../http/guards.server";

const { loader, action } = confirmPromotion({
  guard: requireAdmin,
  ask: askRestoring,
  change: restorePromotion,
  done: "restored",
});
export { action, loader };
export { clientAction, meta, ConfirmRoute as default } from "../../ui/overlay/confirm-dialog";
