import { siteTimeZone } from "../db/site.server";
import { listPromotions } from "../features/promotions/list/list-promotions.server";
import { parsePromotionApiList } from "../features/promotions/list/promotion-filters";
import { toApiPromotionList } from "../features/promotions/promotion-api";
import { apiRoute, operation } from "../http/api.server";

const route = apiRoute(
  operation({
    method: "GET",
    path: "/api/promotions",
    scope: "read",
    query: parsePromotionApiList,
    answers: { 200: "One page of the promotions; `next` is the cursor for `after`." },
    run: async ({ query }) =>
      toApiPromotionList(await listPromotions(query), query.page, siteTimeZone()),
  }),
);

export const loader = route.loader;
export const action = route.action;
