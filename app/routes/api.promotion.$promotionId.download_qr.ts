import { getPromotion } from "../features/promotions/list/list-promotions.server";
import { apiRoute, methodNotAllowed } from "../http/answers.server";
import { qrImageResponse } from "../http/downloads.server";
import { requireApiUser } from "../http/guards.server";

/** The QR image as `{id}.png` (core §7). */
export const loader = apiRoute(async (args) => {
  await requireApiUser(args);
  const promotion = await getPromotion(args.params.promotionId ?? "");
  return qrImageResponse(args.request, promotion);
});

export const action = apiRoute(async (args) => {
  await requireApiUser(args);
  return methodNotAllowed("GET", "HEAD")();
});
