import { redirect } from "@remix-run/node";
import { siteTimeZone } from "../../db/site.server";
import { listPromotions } from "../../features/promotions/list/list-promotions.server";
import {
  filtersToParams,
  isShortNeedle,
  parsePromotionFilters,
  promotionList,
} from "../../features/promotions/list/promotion-filters";
import { defaultViewParameters } from "../../features/promotions/list/saved-views.server";
import { listColumns, toPromotionView } from "../../features/promotions/promotion-view";
import { flashParam, pageSearch } from "../../forms/list";
import { listView, readList, rememberList } from "../../http/list.server";
import { redirectWithMessage } from "../../http/messages.server";
import type { Session } from "../../http/sessions.server";
import { paths } from "../../paths";

/** Returns the URL of the default view, for a list that is opened without parameters; else null. */
export async function defaultViewUrl(request: Request, { user }: Session) {
  const { pathname, searchParams } = new URL(request.url);
  if (pathname !== paths.qrList || pageSearch(searchParams) !== "") return null;
  const parameters = await defaultViewParameters(user.id);
  if (!parameters) return null;
  const message = searchParams.get(flashParam);
  return `${paths.qrList}?${parameters}${message ? `&${flashParam}=${encodeURIComponent(message)}` : ""}`;
}

/** Reads the list that a URL asks for, and the cookie that remembers its settings. */
export async function readListScreen(request: Request, { user }: Session) {
  const { headers, hidden, ...list } = readList(request, promotionList);
  const { filters, errors } = parsePromotionFilters(list.params);
  const { promotions, ...page } = await listPromotions({ ...list.query, filters });
  const data = {
    ...listView(promotionList, list, { active: filtersToParams(filters), errors }),
    ...page,
    rows: promotions.map((promotion) => toPromotionView(promotion, siteTimeZone())),
    hidden,
    isShortText: isShortNeedle(filters.text),
    isAdmin: user.role === "admin",
    staleReason: null as string | null,
  };
  return { data, headers };
}

/** Chooses the columns of the list, or reads it once more. */
export async function runListTool(request: Request, session: Session): Promise<Response> {
  const posted = await request.formData();
  const { searchParams } = new URL(request.url);
  // Without scripts a new page comes: its fragment gives the focus back to the control.
  const control = (id: string) => (searchParams.has("_data") ? "" : `#${id}`);
  const list = () => paths.qrList + (pageSearch(searchParams) || promotionList.emptySearch);
  if (posted.get("intent") === "columns") {
    searchParams.delete("hide");
    const shown = posted.getAll("columns");
    const hidden = Object.keys(listColumns).filter((name) => !shown.includes(name));
    const headers = rememberList(request, promotionList, { hidden });
    return redirect(`${list()}${control("columns")}`, { status: 303, headers });
  }
  return redirectWithMessage(session, `${list()}${control("refresh-list")}`, {
    kind: "success",
    text: "Data refreshed successfully",
  });
}
