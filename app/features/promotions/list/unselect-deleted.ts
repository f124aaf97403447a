import type { ClientActionFunctionArgs } from "@remix-run/react";
import { paths } from "../../../paths";
import { unselectDeleted } from "../../../ui/list/selection";
import { clientAction as confirmAction } from "../../../ui/modal/confirm-dialog";

/**
 * The `clientAction` of a dialog that deletes a code or a campaign, which is then selected no longer. Once it is deleted,
 * the answer is a redirect, which is thrown.
 */
export async function clientAction(args: ClientActionFunctionArgs) {
  try {
    return await confirmAction(args);
  } catch (answer) {
    const to = answer instanceof Response ? answer.headers.get("Location") : null;
    if (to?.startsWith(paths.qrList) || to?.startsWith(paths.qrGeneration))
      unselectDeleted(args.params.promotionId, args.params.generationId);
    throw answer;
  }
}
