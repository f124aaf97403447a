import type { ClientActionFunctionArgs } from "@remix-run/react";
import { optionsOf } from "../../features/activity/idempotency.server";
import {
  changeLifecycle,
  mayUndoDeactivation,
} from "../../features/promotions/lifecycle/promotion-lifecycle.server";
import { describeOutcome } from "../../features/promotions/lifecycle/questions";
import { listAddress } from "../../features/promotions/list/promotion-filters";
import { undoIntent } from "../../lists/list-params";
import { idempotencyField } from "../../forms/validator";
import { catchNetworkErrors } from "../../forms/network-errors";
import { immediateRoute } from "../../http/confirm-route.server";
import { requireEditor } from "../../http/guards.server";
import { paths } from "../../paths";

const { loader, action } = immediateRoute({
  guard: requireEditor,
  back: ({ request }) => listAddress(request.url),
  async run({ params: { promotionId = "" }, request, field, options }) {
    const promotion = { type: "promotion", id: promotionId } as const;
    if (field("intent") === undoIntent) {
      const outcome = await changeLifecycle(promotion, "reactivate", options);
      return describeOutcome("code", { done: "reactivated", state: "active" }, outcome);
    }
    // All rows of a list have its key, in their addresses.
    const idempotencyKey = new URL(request.url).searchParams.get(idempotencyField);
    const once = optionsOf(`row-${promotionId}`, { ...options, idempotencyKey });
    const outcome = await changeLifecycle(promotion, "deactivate", once);
    const message = describeOutcome("code", { done: "deactivated", state: "inactive" }, outcome);
    if (outcome.isReversed) return message;
    const undoPath =
      paths.promotionDeactivation(promotionId) +
      listAddress(request.url).slice(paths.qrList.length);
    if (!outcome.changed) {
      // A second press, whose answer takes the place of the first one's.
      const isOwn = await mayUndoDeactivation(
        { type: "promotion", id: promotionId },
        options.actor,
      );
      return { ...message, undoPath: isOwn ? undoPath : null };
    }
    return { ...message, undoPath };
  },
});
export { action, loader };

export async function clientAction(args: ClientActionFunctionArgs) {
  const posted = await args.request.clone().formData();
  const isUndo = posted.get("intent") === undoIntent;
  return catchNetworkErrors(isUndo ? "Error reactivating code" : "Error deactivating promotion")(
    args,
  );
}
