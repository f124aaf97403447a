/** Pages that a link in a mail opens (RULES H13). */
import { redirect } from "@remix-run/node";
import { db } from "../db/connection.server";
import { findLinkUser, type LinkKind } from "../features/sign-in/link-tokens.server";
import { hostCookieName, readCookie, setCookie } from "./preferences.server";
import type { RouteArgs } from "./sessions.server";

/** Names the purpose of a link; links that undo a change of address have a table of their own. */
type MailedKind = LinkKind | "email_undo";

const cookieName = (kind: MailedKind) => hostCookieName(`link-${kind}`);
const maxAgeSeconds = 3_600;

/**
 * Returns the secret of the link that opened a page; null without a link. The secret moves from
 * the URL into a cookie first, so that no history, log or referrer keeps it. Reading doesn't use the link up:
 * mail scanners follow links too.
 */
export function mailedSecret({ request }: RouteArgs, kind: MailedKind): string | null {
  const url = new URL(request.url);
  const token = url.searchParams.get("token");
  if (token !== null) {
    const secret = /^[\w-]{1,100}$/.test(token) ? token : "";
    const headers = { "Set-Cookie": setCookie(cookieName(kind), secret, maxAgeSeconds) };
    throw redirect(url.pathname, { headers });
  }
  return readCookie(request, cookieName(kind)) || null;
}

/** Returns the secret of the link that opened a page, and its user; null without a link. */
export async function mailedLink(args: RouteArgs, kind: LinkKind) {
  const secret = mailedSecret(args, kind);
  return secret === null ? null : { secret, user: await findLinkUser(db(), kind, secret) };
}

/** Leaves the page of a link that was used. */
export function leaveMailedLink(kind: MailedKind, to: string): Response {
  return redirect(to, {
    status: 303,
    headers: { "Set-Cookie": setCookie(cookieName(kind), "", 0) },
  });
}
