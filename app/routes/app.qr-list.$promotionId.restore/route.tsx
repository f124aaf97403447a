import { siteTimeZone } from "../../db/site.server";
import { askRestoring, lifecycleNoun } from "../../features/promotions/lifecycle/questions";
import { restorePromotion } from "../../features/promotions/lifecycle/promotion-lifecycle.server";
import { listAddress } from "../../features/promotions/list/promotion-filters";
import { toPromotionView } from "../../features/promotions/promotion-view";
import { getPromotion } from "../../features/promotions/promotions.server";
import { confirmRoute } from "../../http/confirm-route.server";
import { requireAdmin } from "../../http/guards.server";

const { loader, action } = confirmRoute({
  guard: requireAdmin,
  async ask({ params }) {
    const promotion = await getPromotion(params.promotionId ?? "");
    return askRestoring(toPromotionView(promotion, siteTimeZone()));
  },
  async run({ params, request }, { actor }) {
    const promotion = await getPromotion(params.promotionId ?? "");
    await restorePromotion(promotion.id, { actor });
    return {
      to: listAddress(request.url),
      text: `${lifecycleNoun(promotion)} successfully restored`,
    };
  },
});
export { action, loader };

export {
  ConfirmRoute as default,
  confirmClientAction as clientAction,
  questionMeta as meta,
} from "../../ui/overlay/confirm-dialog";
