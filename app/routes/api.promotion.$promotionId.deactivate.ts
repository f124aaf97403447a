import { json } from "@remix-run/node";
import { siteTimeZone } from "../db/site.server";
import { getPromotion } from "../features/promotions/list-promotions.server";
import { toWirePromotion } from "../features/promotions/promotion-wire";
import { deactivatePromotion } from "../features/promotions/retire-promotions.server";
import { apiRoute, methodNotAllowed } from "../http/answers.server";
import { requireApiUser } from "../http/guards.server";

/** core §7; a second call changes nothing. Answers the promotion as it is then. */
export const action = apiRoute(async (args) => {
  const { user } = await requireApiUser(args);
  if (args.request.method !== "PUT") return methodNotAllowed("PUT")();
  const id = args.params.promotionId ?? "";
  await deactivatePromotion(id, { actor: user, requestId: args.context.requestId });
  return json(toWirePromotion(await getPromotion(id), siteTimeZone()));
});

export const loader = apiRoute(async (args) => {
  await requireApiUser(args);
  return methodNotAllowed("PUT")();
});
