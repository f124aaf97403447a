import { redirect } from "@remix-run/node";
import type { KeyScope } from "../features/sign-in/key-scopes";
import { setUpFirstMessage } from "../features/second-factor/second-factor-forms";
import { isSecondFactorRequired } from "../features/second-factor/second-factor.server";
import { findBearer, type Bearer } from "../features/sign-in/tokens.server";
import { canEdit, type Reader } from "../features/sign-in/user";
import { paths } from "../paths";
import { pageUrl } from "../remix/data-requests";
import { apiError } from "./answers.server";
import { maxBodyBytes } from "./rejection.server";
import { currentSession, toActor, type RouteArgs, type Session } from "./sessions.server";

/**
 * The first line of every loader and action says who may run it; a parent's guard protects
 * nothing, because our scripts ask for the data of a child alone.
 */

type GuardOptions = { canRestore?: boolean; fileOf?: string };

/**
 * Lets signed-in people through and sends others to the sign-in page, which leads back here.
 * @param canRestore of an action: it knows `intent=restore`, which shows the posted fields again
 * and does nothing. A form that was posted after the session had ended then loses nothing
 * (RULES H5).
 * @param fileOf of a file: the address of the page that offers it, where to go after signing in
 * @param isSetUp of the pages where a second factor is set up: others need it first, where the site requires one
 */
export async function requireUser(
  args: RouteArgs,
  { canRestore = false, fileOf, isSetUp = false }: GuardOptions & { isSetUp?: boolean } = {},
): Promise<Session> {
  const session = await currentSession(args);
  if (session) {
    const mustSetUp = !session.hasSecondFactor && isSecondFactorRequired(session.user.role);
    if (mustSetUp && !isSetUp) throw redirect(paths.secondFactor, 303);
    return session;
  }
  const { request } = args;
  const here = new URL(request.url);
  if (request.method === "GET" || request.method === "HEAD") {
    const to = fileOf
      ? `${signInPath(new URL(fileOf, here))}&notice=file`
      : signInPath(pageUrl(here));
    throw redirect(to);
  }
  // 307 posts the same fields once more, to the sign-in page, which keeps no files and accepts no large ones.
  const hasFile = /^multipart\//i.test(request.headers.get("Content-Type") ?? "");
  const isLarge = hasFile && !(Number(request.headers.get("Content-Length")) <= maxBodyBytes);
  if (canRestore && request.method === "POST" && !isLarge)
    throw redirect(`${signInPath(pageUrl(here))}&restore=1`, 307);
  const referer = request.headers.get("Referer") ?? "";
  const from = URL.canParse(referer) ? new URL(referer) : here;
  throw redirect(signInPath(pageUrl(from.origin === here.origin ? from : here)), 303);
}

/** For the frame, and for the pages where a second factor is set up. */
export function requireUserBeforeSetUp(args: RouteArgs, options: GuardOptions = {}) {
  return requireUser(args, { ...options, isSetUp: true });
}

function requireRole(isAllowed: (user: Reader) => boolean) {
  return async (args: RouteArgs, options: GuardOptions = {}): Promise<Session> => {
    const session = await requireUser(args, options);
    if (!isAllowed(session.user))
      throw new Response("You are not allowed to do this.", { status: 403 });
    return session;
  };
}

/** Lets users and admins through, and no viewers: for what changes anything but the own account, or shows whole codes. */
export const requireEditor = requireRole(canEdit);
export const requireAdmin = requireRole(({ role }) => role === "admin");

/** For pages that make no sense to somebody who is signed in. */
export async function requireSignedOut(args: RouteArgs): Promise<void> {
  if (await currentSession(args)) throw redirect(paths.home);
}

/** States that a route is open, so that no route is open by oversight. */
export async function allowAnyone(_args: RouteArgs): Promise<void> {}

/** API calls: an access token or an API key, as a bearer; cookies never arrive there. */
export async function requireBearer({ request }: RouteArgs): Promise<Bearer> {
  const secret = bearerOf(request.headers.get("Authorization"));
  const bearer = await findBearer(secret);
  if (!bearer)
    throw apiError(401, unknownBearer(secret), { headers: { "WWW-Authenticate": "Bearer" } });
  return bearer;
}

/** Returns the message about a bearer that nobody has. @param secret '' if none was sent */
export function unknownBearer(secret: string): string {
  if (secret === "") return "Sign in first.";
  return secret.startsWith("vqa_")
    ? "This access token is unknown or has ended. Refresh it or sign in again."
    : "This API key is unknown, revoked or expired.";
}

/**
 * Lets a bearer make a call of a scope, as its user, who needs a second factor where the site requires one. A key of
 * an integration goes on without it.
 * @param scope what a key must have been given; null for calls that no key may make
 * @throws Response 403
 */
export function requireScope(
  { user, scopes, keyName, isPasswordRecent, hasSecondFactor }: Bearer,
  scope: KeyScope | null,
  { context }: RouteArgs,
) {
  if (scopes !== null && (scope === null || !scopes.includes(scope))) {
    const message = scope
      ? `This key may not do this: it lacks the scope '${scope}'.`
      : "No key may do this. Sign in and send the access token.";
    const challenge = `Bearer error="insufficient_scope"${scope ? `, scope="${scope}"` : ""}`;
    throw apiError(403, message, { headers: { "WWW-Authenticate": challenge } });
  }
  if (!user) throw apiError(403, "The admin who created this key is gone. Create another key.");
  if (keyName === null && !hasSecondFactor && isSecondFactorRequired(user.role))
    throw apiError(403, setUpFirstMessage);
  if (scope === "users" && user.role !== "admin") throw apiError(403, "Only admins may do this.");
  context.userId = user.id;
  const bearer = { isKey: scopes !== null, isPasswordRecent };
  const actor = { ...toActor(user, context), bearer };
  return { user, actor: keyName ? { ...actor, email: `${user.email} (${keyName})` } : actor };
}

/** Returns the token or key of an Authorization header, '' if it has none. RFC 9110 lets several spaces stand before it. */
export function bearerOf(authorization: string | null | undefined): string {
  return /^Bearer +([\w-]{1,200})$/i.exec(authorization ?? "")?.[1] ?? "";
}

function signInPath(from: URL): string {
  const path = safeRedirectPath(from.pathname + from.search, paths.home);
  return `${paths.login}?returnTo=${encodeURIComponent(path)}`;
}

/** A path on this very site that a client may send, or the fallback. */
export function safeRedirectPath(value: unknown, fallback: string): string {
  return typeof value === "string" && value.length <= 4_000 && isOwnPath(value) ? value : fallback;
}

/**
 * Whether an address is a path on this very site. Browsers read backslashes as slashes, drop tabs and newlines, and take
 * `//host` for another site; so does everything that is refused here.
 */
export function isOwnPath(value: string): boolean {
  // A header holds nothing but ASCII, and an address is encoded.
  if (!/^\/(?![/\\])/.test(value) || /[^\x21-\x5b\x5d-\x7e]/.test(value)) return false;
  const base = "http://local.invalid";
  if (!URL.canParse(value, base)) return false;
  const { origin, pathname } = new URL(value, base);
  // Dot segments may leave two slashes in front.
  return origin === base && !pathname.startsWith("//");
}
