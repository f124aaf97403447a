/** The view that a browser showed last decides what the list opens with. */
import { readCookie, setCookie } from "../../http/preferences.server";

const cookie = "view";

/** Returns the parameters of the view, or null for the one that needs none. */
export function rememberedView(request: Request): string | null {
  return readCookie(request, cookie) === "campaigns" ? "view=campaigns" : null;
}

/** Adds the cookie where the view has changed. A list with filters is no choice of a view. */
export function rememberView(request: Request, headers: Headers, isCampaigns: boolean): void {
  if (new URL(request.url).search === "" || isCampaigns === (rememberedView(request) !== null))
    return;
  headers.append("Set-Cookie", setCookie(cookie, isCampaigns ? "campaigns" : "codes"));
}
