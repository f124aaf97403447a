import {
  nothingChosen,
  parseSelection,
  type PromotionSelection,
} from "../features/promotions/lifecycle/bulk-actions";
import { listParams } from "../features/promotions/list/promotion-filters";
import { paths, serverPaths } from "../paths";
import { orRedirect } from "./answers.server";
import { redirectWithMessage } from "./messages.server";
import type { Session } from "./sessions.server";

/**
 * Reads the selection of the list.
 * @param otherwise what is meant when nothing is
 * @throws Response back to the list, which says that nothing is selected; 400, because passing over
 *   a value that can't be read would take more than was meant
 */
export async function requireSelection(
  session: Session,
  params: URLSearchParams,
  otherwise: ReturnType<typeof parseSelection> = null,
): Promise<PromotionSelection> {
  const parsed = parseSelection(params, session.user) ?? otherwise;
  if (!parsed) throw await backToList(session, params, nothingChosen);
  if (parsed.error) throw new Response(parsed.error, { status: 400 });
  return parsed.selection;
}

/** Leads back to the list with the message of a rule that was not met. */
export function orBackToList<Result>(
  session: Session,
  params: URLSearchParams,
  work: Promise<Result>,
) {
  return orRedirect(work, "invalid", (message) => backToList(session, params, message));
}

/** Returns the answer that leads back to the list as it was filtered, with a warning. */
export function backToList(
  session: Session,
  params: URLSearchParams,
  text: string,
): Promise<Response> {
  const filters = listParams(params);
  const list = filters.size > 0 ? `${paths.qrList}?${filters}` : paths.qrList;
  return redirectWithMessage(session, list, { kind: "warning", text });
}

/** Returns the address of a bulk action: it keeps the list, and that the rows ticked there are the selection. */
export function bulkUrl(operationId: string, params: URLSearchParams): string {
  const query = listParams(params);
  if (params.has("ticked")) query.set("ticked", "1");
  return `${serverPaths.bulkAction(operationId)}?${query}`;
}
