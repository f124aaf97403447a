import type { ClientLoaderFunctionArgs } from "@remix-run/react";
import { askDeletion } from "../../features/promotions/lifecycle/questions";
import type { PromotionView } from "../../features/promotions/promotion-view";
import { confirmPromotion } from "../../http/lifecycle-routes.server";
import { paths } from "../../paths";
import { cachedRow } from "../../ui/table/list-cache";

const { loader, action } = confirmPromotion("delete");
export { action, loader };

/** Opens the dialog over the list without a request. */
export async function clientLoader({ params, serverLoader }: ClientLoaderFunctionArgs) {
  const promotion = cachedRow<PromotionView>(paths.qrList, params.promotionId);
  if (!promotion) return serverLoader<typeof loader>();
  // `randomUUID` exists in secure contexts alone.
  const idempotencyKey = crypto.getRandomValues(new Uint32Array(4)).join("-");
  return { ...askDeletion(promotion), idempotencyKey };
}

export { clientAction } from "../../features/promotions/list/unselect-deleted";
export { meta, ConfirmRoute as default } from "../../ui/modal/confirm-dialog";
