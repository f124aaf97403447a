import { json } from "@remix-run/node";
import { siteTimeZone } from "../db/site.server";
import { listPromotions } from "../features/promotions/list/list-promotions.server";
import { parsePromotionApiList } from "../features/promotions/list/promotion-filters";
import { toApiPromotionList } from "../features/promotions/promotion-api";
import { apiError, apiRoute, methodNotAllowed } from "../http/answers.server";
import { requireApiUser } from "../http/guards.server";

/** One page of the promotions (rulings 6.4). */
export const loader = apiRoute(async (args) => {
  await requireApiUser(args);
  const { query, problems } = parsePromotionApiList(new URL(args.request.url).searchParams);
  const [problem] = Object.values(problems);
  if (problem) return apiError(400, problem, { fields: problems });
  return json(toApiPromotionList(await listPromotions(query), query.page, siteTimeZone()));
});

export const action = apiRoute(async (args) => {
  await requireApiUser(args);
  return methodNotAllowed("GET", "HEAD")();
});
