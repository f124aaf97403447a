import { randomBytes } from "node:crypto";
import type { ActionFunctionArgs, AppLoadContext, LoaderFunctionArgs } from "@remix-run/node";
import {
  closeSession,
  findSession,
  openSession,
  type PasswordCheck,
  type Session as StoredSession,
} from "../features/sign-in/sessions.server";
import type { Actor, Origin } from "../features/activity/audit-log.server";
import { hashSecret } from "../features/sign-in/tokens.server";
import type { CheckedUser, User } from "../features/sign-in/user";
import { cookieIn, hostCookieName, setCookie } from "./cookies.server";
import { Authenticator } from "remix-auth";
import { FormStrategy } from "remix-auth-form";
import { signIn } from "../features/sign-in/sign-in.server";

export type Session = StoredSession & { actor: Actor & Pick<User, "role"> };
export type RouteArgs = LoaderFunctionArgs | ActionFunctionArgs;

const maxAgeSeconds = 7 * 24 * 60 * 60;

/** Returns the session of the browser. The loaders of one page run side by side, with the same context. */
export function currentSession({ request, context }: RouteArgs): Promise<Session | null> {
  return (context.session ??= readSession(request, context));
}

async function readSession(request: Request, context: AppLoadContext) {
  const idHash = sentIdHash(request.headers.get("Cookie"));
  const session = idHash && (await findSession(idHash));
  if (!session) return null;
  context.userId = session.user.id;
  const { credentialsVersion } = session;
  return { ...session, actor: { ...toActor(session.user, context), credentialsVersion } };
}

/** Tells whether a Cookie header has a session that is open, before there is a request for Remix. */
export async function isSignedIn(cookies: string | undefined): Promise<boolean> {
  const idHash = sentIdHash(cookies ?? null);
  return idHash !== null && (await findSession(idHash)) !== null;
}

export function originOf({ requestId, clientAddress, userAgent }: AppLoadContext): Origin {
  return { requestId, address: clientAddress, userAgent };
}

/** Returns what the audit log and the domain functions need of a user. */
export function toActor({ id, email, role }: User, context: AppLoadContext): Session["actor"] {
  return { id, email, role, ...originOf(context) };
}

/** Makes an id for a session: its hash, and the Set-Cookie header that gives the id to the browser. */
export function newSessionId(): { idHash: Buffer; setCookieHeader: string } {
  const id = randomBytes(32).toString("base64url");
  return { idHash: hashSecret(id), setCookieHeader: setCookie(cookieName(), id, maxAgeSeconds) };
}

/**
 * Ends the session that the browser had, and opens a new one.
 * @returns the Set-Cookie header
 * @throws SignInRejected: the credentials were changed since they were checked
 */
export async function signBrowserIn(
  { request, context }: RouteArgs,
  user: CheckedUser,
  { passwordCheckedAt }: { passwordCheckedAt: PasswordCheck },
): Promise<string> {
  const { idHash, setCookieHeader } = newSessionId();
  const actor = toActor(user, context);
  context.userId = user.id;
  const replaced = sentIdHash(request.headers.get("Cookie"));
  await openSession(user, idHash, { replaced, actor, passwordCheckedAt });
  return setCookieHeader;
}

/** @returns the Set-Cookie header */
export async function signBrowserOut({ request, context }: RouteArgs): Promise<string> {
  const idHash = sentIdHash(request.headers.get("Cookie"));
  if (idHash) await closeSession(idHash, originOf(context));
  return setCookie(cookieName(), "", 0);
}

function cookieName(): string {
  return hostCookieName("sid");
}

/** @param cookies the Cookie header */
function sentIdHash(cookies: string | null): Buffer | null {
  const id = cookieIn(cookies ?? "", cookieName());
  return id && /^[\w-]{43}$/.test(id) ? hashSecret(id) : null;
}

/**
 * Who the posted email and password belong to. A strategy knows only its Request, and the limits
 * need the client's address: so the authenticator is made for each request.
 * @throws SignInRejected, DomainError 'unavailable'
 */
export function authenticateForm({ request, context }: RouteArgs): Promise<CheckedUser> {
  const authenticator = new Authenticator<CheckedUser>();
  authenticator.use(
    new FormStrategy(async ({ form }) =>
      signIn({
        email: String(form.get("email") ?? ""),
        password: String(form.get("password") ?? ""),
        clientAddress: context.clientAddress,
      }),
    ),
  );
  return authenticator.authenticate("form", request.clone());
}
