import type { ClientLoaderFunctionArgs } from "@remix-run/react";
import { deletePromotion } from "../../features/promotions/lifecycle/promotion-lifecycle.server";
import { askDeletion } from "../../features/promotions/lifecycle/questions";
import { cachedPromotion } from "../../features/promotions/list/list-cache";
import { confirmPromotion } from "../../http/confirm-route.server";
import { requireUser } from "../../http/guards.server";

const { loader, action } = confirmPromotion({
  guard: requireUser,
  ask: askDeletion,
  change: deletePromotion,
  done: "deleted",
});
export { action, loader };

/** Opens the dialog over the list without a request. */
export async function clientLoader({ params, serverLoader }: ClientLoaderFunctionArgs) {
  const promotion = cachedPromotion(params.promotionId);
  return promotion ? askDeletion(promotion) : serverLoader<typeof loader>();
}

export { clientAction, meta, ConfirmRoute as default } from "../../ui/overlay/confirm-dialog";
