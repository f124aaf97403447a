import { parseMatching } from "../../features/promotions/lifecycle/bulk-actions";
import {
  exportCampaigns,
  exportPromotions,
} from "../../features/promotions/list/export-promotions.server";
import { downloadRoute } from "../../http/downloads.server";
import { csvResponse } from "../../http/file-response.server";
import { requireSelection } from "../../http/selection.server";

/** The list as its filter leaves it, codes or campaigns, or the codes of what is selected in it, as CSV: every row. */
export const loader = downloadRoute(async (fileRequest, _params, session) => {
  const { searchParams } = new URL(fileRequest.request.url);
  const isSelection = searchParams.has("ticked");
  const selection = await requireSelection(
    session,
    searchParams,
    isSelection ? null : parseMatching(searchParams, session.user),
  );
  if (!isSelection && selection.kind === "matching" && selection.filters.view === "campaigns")
    return csvResponse(fileRequest, "campaigns", () =>
      exportCampaigns(selection.filters, session.user),
    );
  return csvResponse(fileRequest, "codes", () => exportPromotions(selection, session.user));
});
