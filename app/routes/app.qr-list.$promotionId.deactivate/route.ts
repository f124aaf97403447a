import { deactivatePromotion } from "../../features/promotions/lifecycle/promotion-lifecycle.server";
import { listAddress } from "../../features/promotions/list/promotion-filters";
import { keepPage } from "../../forms/network-errors";
import { immediateRoute } from "../../http/confirm-route.server";
import { requireUser } from "../../http/guards.server";

const { loader, action } = immediateRoute({
  guard: requireUser,
  back: ({ request }) => listAddress(request.url),
  async run({ params }, { actor }) {
    await deactivatePromotion(params.promotionId ?? "", { actor });
    return { kind: "success", text: "Promotion successfully deactivated" };
  },
});
export { action, loader };

export const clientAction = keepPage("Error deactivating promotion");
