/** Pages that a link in a mail opens (RULES H13), and other forms for people who are not signed in. */
import { json, redirect } from "@remix-run/node";
import { db } from "../../db/connection.server";
import { conflict, DomainError } from "../../errors";
import type { Origin } from "../../features/activity/audit-log.server";
import { findEmailUndo } from "../../features/people/email-undo.server";
import { setPasswordByLink } from "../../features/sign-in/account-links.server";
import { findLinkUser, type LinkKind } from "../../features/sign-in/link-tokens.server";
import { statusOf } from "../../http/answers.server";
import { hostCookieName, readCookie, setCookie } from "../../http/cookies.server";
import {
  currentSession,
  originOf,
  signBrowserOut,
  type RouteArgs,
} from "../../http/sessions.server";
import { serverPaths } from "../../paths";

/** Names the purpose of a link; links that undo a change of address have a table of their own. */
type MailedKind = LinkKind | "email_undo";

const cookieName = (kind: MailedKind) => hostCookieName(`link-${kind}`);
const maxAgeSeconds = 3_600;
const forgetLink = (kind: MailedKind) => setCookie(cookieName(kind), "", 0);

/**
 * Returns the secret of the link that opened a page; null without a link. The secret moves from the URL into a
 * cookie first, so that no history, log or referrer has it. Reading doesn't use the link up: mail scanners follow
 * links too.
 */
export function mailedSecret({ request }: RouteArgs, kind: MailedKind): string | null {
  const url = new URL(request.url);
  const token = url.searchParams.get("token");
  if (token !== null) {
    // A damaged link is one that no longer works, not none.
    const secret = /^[\w-]{1,100}$/.test(token) ? token : "damaged";
    const headers = { "Set-Cookie": setCookie(cookieName(kind), secret, maxAgeSeconds) };
    throw redirect(url.pathname, { headers });
  }
  return readCookie(request, cookieName(kind)) || null;
}

/**
 * Returns the address that the link of a page is for, whether there is a link that no longer works, and who is signed
 * in on this browser.
 */
export async function loadMailedLink(args: RouteArgs, kind: LinkKind) {
  const secret = mailedSecret(args, kind);
  const user = secret && (await findLinkUser(db(), kind, secret));
  const session = await currentSession(args);
  const hasEnded = secret !== null && !user;
  const data = {
    email: user ? user.email : null,
    hasEnded,
    signedInAs: session?.user.email ?? null,
    wasRefused: args.context.wasRefused,
  };
  return json(data, hasEnded ? { headers: { "Set-Cookie": forgetLink(kind) } } : {});
}

/** Uses the link of a page up, and leads to the sign-in page with a notice. */
export async function followMailedLink(
  args: RouteArgs,
  kind: MailedKind,
  {
    notice,
    signsOut = false,
    run,
  }: {
    notice: string;
    /** Ends the session of this browser, whose user may be another one. */
    signsOut?: boolean;
    run: (secret: string, origin: Origin, posted: FormData) => Promise<void>;
  },
) {
  try {
    const posted = await args.request.formData();
    const secret = mailedSecret(args, kind) ?? "";
    await requireSameLink(secret, kind, String(posted.get("account") ?? ""));
    await run(secret, originOf(args.context), posted);
  } catch (cause) {
    return rerenderAccountForm(args, cause);
  }
  const headers = new Headers({ "Set-Cookie": forgetLink(kind) });
  if (signsOut) headers.append("Set-Cookie", await signBrowserOut(args));
  return redirect(serverPaths.loginWith(notice), { status: 303, headers });
}

/**
 * The browser has the secret of one link of a kind, and several pages may be open, each with the address of its own.
 * @param email the one that the page showed
 * @throws DomainError conflict: the page is of another link than the one that the browser has
 */
async function requireSameLink(secret: string, kind: MailedKind, email: string): Promise<void> {
  const link =
    kind === "email_undo" ? await findEmailUndo(secret) : await findLinkUser(db(), kind, secret);
  const isOther = link ? link.email !== email : secret === "";
  if (email !== "" && isOther)
    throw conflict(
      `A link was opened or used in another tab since. Open the link for ${email} in its mail again.`,
    );
}

/** Sets the password that a link was mailed for. */
export async function savePassword(
  args: RouteArgs,
  kind: "password_reset" | "invitation",
  notice: string,
) {
  return followMailedLink(args, kind, {
    notice,
    signsOut: true,
    run: (secret, origin, posted) =>
      setPasswordByLink(kind, secret, postedPassword(posted), origin),
  });
}

export function postedPassword(posted: FormData) {
  const text = (name: string) => String(posted.get(name) ?? "");
  return { newPassword: text("newPassword"), confirmPassword: text("confirmPassword") };
}

export type AccountAnswer = {
  /** Tells about the mail that was asked for. */
  sent?: string;
  /** A message about the form as a whole. */
  rejection?: string;
  errors?: Record<string, string>;
  /** Fields as they were typed, without passwords. */
  values?: Record<string, string>;
};

/** Shows a form again, with the reason of a domain function; other errors are thrown on. */
export function rerenderAccountForm(
  { context }: RouteArgs,
  cause: unknown,
  values: Record<string, string> = {},
) {
  if (!(cause instanceof DomainError)) throw cause;
  context.wasRefused = true;
  const { message, fields } = cause;
  const answer = Object.keys(fields).length > 0 ? { errors: fields } : { rejection: message };
  return json<AccountAnswer>({ ...answer, values }, statusOf(cause));
}
