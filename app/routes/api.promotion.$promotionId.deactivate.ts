import { siteTimeZone } from "../db/site.server";
import { deactivatePromotion } from "../features/promotions/lifecycle/promotion-lifecycle.server";
import { getPromotion } from "../features/promotions/list/list-promotions.server";
import { toApiPromotion } from "../features/promotions/promotion-api";
import { apiRoute, operation } from "../http/api.server";

const route = apiRoute(
  operation({
    method: "PUT",
    path: "/api/promotion/{promotionId}/deactivate",
    scope: "promotions",
    answers: { 200: "The promotion as it is now; a second call changes nothing." },
    async run({ actor, param }) {
      await deactivatePromotion(param("promotionId"), { actor });
      return toApiPromotion(await getPromotion(param("promotionId")), siteTimeZone());
    },
  }),
);

export const loader = route.loader;
export const action = route.action;
