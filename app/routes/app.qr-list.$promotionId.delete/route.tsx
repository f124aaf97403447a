import type { ClientActionFunctionArgs, ClientLoaderFunctionArgs } from "@remix-run/react";
import { askDeletion } from "../../features/promotions/lifecycle/questions";
import type { PromotionView } from "../../features/promotions/promotion-view";
import { confirmPromotion } from "../../http/lifecycle-routes.server";
import { paths } from "../../paths";
import { changeSelection } from "../../ui/list/selection";
import { clientAction as confirmAction } from "../../ui/modal/confirm-dialog";
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

/** Removes a code from the selection once it is deleted: the answer is then a redirect to the list, which is thrown. */
export async function clientAction(args: ClientActionFunctionArgs) {
  try {
    return await confirmAction(args);
  } catch (answer) {
    if (answer instanceof Response && answer.headers.get("Location")?.startsWith(paths.qrList))
      changeSelection([{ value: args.params.promotionId!, checked: false }]);
    throw answer;
  }
}

export { meta, ConfirmRoute as default } from "../../ui/modal/confirm-dialog";
