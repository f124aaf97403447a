import type { HeadersFunction } from "@remix-run/node";
import { SignInRefused } from "../features/users/sign-in.server";
import { checkPasswordAgain } from "../features/users/sessions.server";
import type { FormPost, Rejection } from "./form-action.server";

/** The field of a form that may ask for the password again. */
export const passwordField = "password";

/**
 * Rejects a form unless the password was checked recently or is right. It is a field of the same
 * form, so that it works without scripts, and is read only where it has to be.
 * @throws DomainError unavailable: too many are signing in
 */
export async function rejectUnconfirmed({
  context,
  session,
  field,
}: FormPost): Promise<Rejection | null> {
  if (session.isPasswordRecent) return null;
  const password = field(passwordField);
  const reject = (message: string, status: number, headers = {}): Rejection => ({
    errors: { [passwordField]: message },
    status,
    headers,
  });
  if (password === "") return reject("Type your password to confirm that it is you", 403);
  try {
    await checkPasswordAgain(session, password, context.clientAddress);
    return null;
  } catch (cause) {
    if (!(cause instanceof SignInRefused)) throw cause;
    const seconds = cause.retryAfterSeconds;
    if (seconds === 0) return reject("This is not your password", 403);
    return reject(cause.message, 429, { "Retry-After": String(seconds) });
  }
}

/** The `headers` of a route with such a form, whose page carries Retry-After too. */
export const retryAfterHeaders: HeadersFunction = ({ actionHeaders }) => {
  const retryAfter = actionHeaders.get("Retry-After");
  return retryAfter ? { "Retry-After": retryAfter } : new Headers();
};
