import { redirect } from "@remix-run/node";
import { parseBulkAction, parseSelection } from "../../features/promotions/lifecycle/bulk-actions";
import { prepareBulk } from "../../features/promotions/lifecycle/bulk-actions.server";
import { screenLoader } from "../../http/answers.server";
import { requireEditor } from "../../http/guards.server";
import { backToList, bulkUrl, orBackToList, requireSelection } from "../../http/selection.server";

/** Counts the codes of a selection, stores which they are, and opens the confirmation. */
export const loader = screenLoader(requireEditor, async ({ request }, session) => {
  const params = new URL(request.url).searchParams;
  const action = parseBulkAction(params.get("intent"));
  if (!action) throw await backToList(session, params, "This action is not known. Choose another.");
  const error = parseSelection(params, session.user)?.error;
  if (error) throw await backToList(session, params, error);
  const selection = await requireSelection(session, params);
  const id = await orBackToList(session, params, prepareBulk(action, selection, session.actor));
  return redirect(bulkUrl(id, params), 303);
});

/** Shows nothing, and lets errors appear inside the shell. */
export default function Bulk() {
  return null;
}
