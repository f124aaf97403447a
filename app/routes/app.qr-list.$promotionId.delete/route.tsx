import type { ClientLoaderFunctionArgs } from "@remix-run/react";
import { siteTimeZone } from "../../db/site.server";
import { askDeletion, lifecycleNoun } from "../../features/promotions/lifecycle/questions";
import { deletePromotion } from "../../features/promotions/lifecycle/promotion-lifecycle.server";
import { listAddress } from "../../features/promotions/list/promotion-filters";
import { cachedPromotion } from "../../features/promotions/list/list-cache";
import { toPromotionView } from "../../features/promotions/promotion-view";
import { getPromotion } from "../../features/promotions/promotions.server";
import { confirmRoute } from "../../http/confirm-route.server";
import { requireUser } from "../../http/guards.server";

const { loader, action } = confirmRoute({
  guard: requireUser,
  async ask({ params }) {
    const promotion = await getPromotion(params.promotionId ?? "");
    return askDeletion(toPromotionView(promotion, siteTimeZone()));
  },
  async run({ params, request }, { actor }) {
    const promotion = await getPromotion(params.promotionId ?? "");
    await deletePromotion(promotion.id, { actor });
    return {
      to: listAddress(request.url),
      text: `${lifecycleNoun(promotion)} successfully deleted`,
    };
  },
});
export { action, loader };

/** Opens the dialog over the list without a request. */
export async function clientLoader({ params, serverLoader }: ClientLoaderFunctionArgs) {
  const promotion = cachedPromotion(params.promotionId);
  return promotion ? askDeletion(promotion) : serverLoader<typeof loader>();
}

export {
  ConfirmRoute as default,
  confirmClientAction as clientAction,
  questionMeta as meta,
} from "../../ui/overlay/confirm-dialog";
