/** The view that a browser showed last decides what the list opens with. */
import type { SavedView } from "../../features/promotions/list/saved-view";
import { flashParam, pageSearch } from "../../lists/list-params";
import { readCookie, setCookie } from "../../http/cookies.server";
import { paths } from "../../paths";

const cookie = "view";

/** Returns the parameters of the view, or null for the one that needs none. */
function rememberedView(request: Request): string | null {
  return readCookie(request, cookie) === "campaigns" ? "view=campaigns" : null;
}

/** Adds the cookie where the view has changed. A list with filters is no choice of a view. */
export function rememberView(request: Request, headers: Headers, isCampaigns: boolean): void {
  if (new URL(request.url).search === "" || isCampaigns === (rememberedView(request) !== null))
    return;
  headers.append("Set-Cookie", setCookie(cookie, isCampaigns ? "campaigns" : "codes"));
}

/**
 * Returns the URL of the default view, or else of the one that was shown last, for a list that is
 * opened without parameters; else null.
 */
export async function defaultViewUrl(
  request: Request,
  views: Promise<readonly SavedView[]>,
): Promise<string | null> {
  const { pathname, searchParams } = new URL(request.url);
  if (pathname !== paths.qrList || pageSearch(searchParams) !== "") return null;
  const parameters =
    (await views).find(({ isDefault }) => isDefault)?.parameters ?? rememberedView(request);
  if (!parameters) return null;
  const message = searchParams.get(flashParam);
  return `${paths.qrList}?${parameters}${message ? `&${flashParam}=${encodeURIComponent(message)}` : ""}`;
}
