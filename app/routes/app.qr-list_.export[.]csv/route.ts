import { parseMatching } from "../../features/promotions/lifecycle/bulk-actions";
import { exportPromotions } from "../../features/promotions/list/export-promotions.server";
import { downloadRoute } from "../../http/downloads.server";
import { csvResponse } from "../../http/file-response.server";
import { requireSelection } from "../../http/selection.server";

/** The list as its filter leaves it, or what is selected in it, as CSV: every row. */
export const loader = downloadRoute(async (fileRequest, _params, session) => {
  const { searchParams } = new URL(fileRequest.request.url);
  const selection = await requireSelection(
    session,
    searchParams,
    searchParams.has("ticked") ? null : parseMatching(searchParams),
  );
  return csvResponse(fileRequest, "codes", () => exportPromotions(selection));
});
