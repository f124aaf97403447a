import {
  deactivatePromotion,
  reactivatePromotion,
} from "../../features/promotions/lifecycle/promotion-lifecycle.server";
import { alreadyDone } from "../../features/promotions/lifecycle/questions";
import { listAddress } from "../../features/promotions/list/promotion-filters";
import { undoIntent } from "../../lists/list-params";
import { stayOnPage } from "../../forms/network-errors";
import { immediateRoute } from "../../http/confirm-route.server";
import { requireUser } from "../../http/guards.server";
import { paths } from "../../paths";

const { loader, action } = immediateRoute({
  guard: requireUser,
  back: ({ request }) => listAddress(request.url),
  async run({ params: { promotionId = "" }, request }, { actor }, posted) {
    if (posted.get("intent") === undoIntent) {
      await reactivatePromotion(promotionId, { actor });
      return { kind: "success", text: "Promotion successfully reactivated" };
    }
    const { changed } = await deactivatePromotion(promotionId, { actor });
    if (!changed) return { kind: "info", text: alreadyDone("promotion", "inactive") };
    const undoPath =
      paths.promotionDeactivation(promotionId) +
      listAddress(request.url).slice(paths.qrList.length);
    return { kind: "success", text: "Promotion successfully deactivated", undoPath };
  },
});
export { action, loader };

export const clientAction = stayOnPage("Error deactivating promotion");
