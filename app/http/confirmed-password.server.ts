import type { HeadersFunction } from "@remix-run/node";
import { SignInRefused } from "../features/users/sign-in.server";
import { checkPasswordAgain } from "../features/users/sessions.server";
import type { RouteArgs, Session } from "./sessions.server";

/** The field of any form that may ask for the password again. */
export const passwordField = "password";

/** Why a form that asks for the password can't be accepted; nothing was done. */
export type PasswordRefusal = { sentence: string; status: 403 | 429; headers: HeadersInit };

/**
 * For an action, before it does what needs it: null lets through. The password is a field of the
 * same form, so that it works without script, and is looked at only where it has to be.
 * @throws DomainError unavailable: too many are signing in
 */
export async function refuseUnconfirmed(
  { context }: RouteArgs,
  session: Session,
  posted: FormData,
): Promise<PasswordRefusal | null> {
  if (session.isPasswordRecent) return null;
  const password = posted.get(passwordField);
  if (typeof password !== "string" || password === "")
    return { sentence: "Type your password to confirm that it is you", status: 403, headers: {} };
  try {
    await checkPasswordAgain(session, password, context.clientAddress);
    return null;
  } catch (cause) {
    if (!(cause instanceof SignInRefused)) throw cause;
    const seconds = cause.retryAfterSeconds;
    if (seconds === 0) return { sentence: "This is not your password", status: 403, headers: {} };
    return { sentence: cause.message, status: 429, headers: { "Retry-After": String(seconds) } };
  }
}

/** The `headers` of a route with such a form: a page says too when to try again. */
export const retryAfterHeaders: HeadersFunction = ({ actionHeaders }) => {
  const retryAfter = actionHeaders.get("Retry-After");
  return retryAfter ? { "Retry-After": retryAfter } : new Headers();
};
