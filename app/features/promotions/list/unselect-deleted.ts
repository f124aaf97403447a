import type { ClientActionFunctionArgs } from "@remix-run/react";
import { paths } from "../../../paths";
import { changeSelection } from "../../../ui/list/selection";
import { clientAction as confirmAction } from "../../../ui/modal/confirm-dialog";
import { cachedList } from "../../../ui/table/list-cache";
import type { PromotionView } from "../promotion-view";

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
      changeSelection(deletedKeys(args.params).map((value) => ({ value, checked: false })));
    throw answer;
  }
}

/** Returns the keys of the row and of its campaign, whose other codes are known of the page that was shown last. */
function deletedKeys({ promotionId, generationId }: ClientActionFunctionArgs["params"]): string[] {
  const rows = (cachedList(paths.qrList)?.rows ?? []) as readonly PromotionView[];
  const campaignId = generationId ?? rows.find(({ id }) => id === promotionId)?.massGenerationId;
  const codes = rows.filter(({ massGenerationId }) => massGenerationId === campaignId);
  return [
    ...(promotionId ? [promotionId] : []),
    ...(campaignId ? [`g${campaignId}`, ...codes.map(({ id }) => id)] : []),
  ];
}
