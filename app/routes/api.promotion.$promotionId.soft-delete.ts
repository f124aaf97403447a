import { json } from "@remix-run/node";
import { siteTimeZone } from "../db/site.server";
import { getPromotion } from "../features/promotions/list/list-promotions.server";
import { toApiPromotion } from "../features/promotions/promotion-api";
import { deletePromotion } from "../features/promotions/lifecycle/promotion-lifecycle.server";
import { apiRoute, methodNotAllowed } from "../http/answers.server";
import { requireApiUser } from "../http/guards.server";

/** core §7, rulings 3.6: one of a mass generation deletes the whole generation. A second call changes nothing. */
export const action = apiRoute(async (args) => {
  const { actor } = await requireApiUser(args);
  if (args.request.method !== "PUT") return methodNotAllowed("PUT")();
  const id = args.params.promotionId ?? "";
  await deletePromotion(id, { actor });
  return json(toApiPromotion(await getPromotion(id), siteTimeZone()));
});

export const loader = apiRoute(async (args) => {
  await requireApiUser(args);
  return methodNotAllowed("PUT")();
});
