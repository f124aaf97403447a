import type { LoaderFunctionArgs } from "@remix-run/node";
import { getPromotion } from "../../features/promotions/list/list-promotions.server";
import { screenRoute } from "../../http/answers.server";
import { qrImageResponse } from "../../http/downloads.server";
import { requireUser } from "../../http/guards.server";

/** The screen's own link to a QR image; the API has `/api/promotion/{id}/download_qr`. */
export const loader = screenRoute(async (args: LoaderFunctionArgs) => {
  await requireUser(args);
  const promotion = await getPromotion(args.params.promotionId ?? "");
  return qrImageResponse(args.request, promotion);
});
