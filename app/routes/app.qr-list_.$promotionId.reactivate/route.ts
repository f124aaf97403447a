import { reactivatePromotion } from "../../features/promotions/lifecycle/promotion-lifecycle.server";
import { immediateRoute } from "../../http/confirm-route.server";
import { requireAdmin } from "../../http/guards.server";
import { paths } from "../../paths";

const { loader, action } = immediateRoute({
  guard: requireAdmin,
  back: ({ params, request }, { cause }) =>
    request.method === "POST" && cause?.reason !== "not_found"
      ? paths.promotion(params.promotionId ?? "")
      : paths.qrList,
  async run({ params }, { actor }) {
    await reactivatePromotion(params.promotionId ?? "", { actor });
    return { kind: "success", text: "Promotion successfully reactivated" };
  },
});
export { action, loader };
