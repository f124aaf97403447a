import type { ClientLoaderFunctionArgs } from "@remix-run/react";
import { askDeletion } from "../../features/promotions/lifecycle/questions";
import { cachedPromotion } from "../../features/promotions/list/list-cache";
import { confirmPromotion } from "../../http/lifecycle-routes.server";

const { loader, action } = confirmPromotion("delete");
export { action, loader };

/** Opens the dialog over the list without a request. */
export async function clientLoader({ params, serverLoader }: ClientLoaderFunctionArgs) {
  const promotion = cachedPromotion(params.promotionId);
  return promotion ? askDeletion(promotion) : serverLoader<typeof loader>();
}

export { clientAction, meta, ConfirmRoute as default } from "../../ui/overlay/confirm-dialog";
