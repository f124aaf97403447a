/** The answers of the sign-in page to what was posted. */
import { json, redirect, type ActionFunctionArgs, type AppLoadContext } from "@remix-run/node";
import { DomainError } from "../../errors";
import type { PasskeyRequest } from "../../features/second-factor/passkey";
import { SignInRejected } from "../../features/sign-in/sign-in.server";
import type { CheckedUser } from "../../features/sign-in/user";
import { signBrowserIn, type RouteArgs } from "../../http/sessions.server";
import { restoredFieldName, type LoginAttempt, type RestoredForm } from "./login-page";
import { unpackFields } from "./restored-form.server";

export type Answer = LoginAttempt & {
  continueWith?: RestoredForm;
  isSecondStep?: boolean;
  /** A passkey is asked for. */
  passkeyRequest?: PasskeyRequest;
};

export type Attempt = { args: ActionFunctionArgs; posted: FormData; returnTo: string };

/** Shows the form again, with the reason of the rejection; other errors are thrown on. */
export function rejectAttempt({ context }: ActionFunctionArgs, error: unknown, answer: Answer) {
  const isBusy = error instanceof DomainError && error.reason === "unavailable";
  if (!isBusy && !(error instanceof SignInRejected)) throw error;
  if (isBusy) context.fault = error;
  const seconds = isBusy ? 2 : (error as SignInRejected).retryAfterSeconds;
  return json<Answer>(
    { rejection: error.message, ...answer },
    {
      status: isBusy ? 503 : seconds > 0 ? 429 : 401,
      headers: seconds > 0 ? { "Retry-After": String(seconds) } : {},
    },
  );
}

// The action signed in and has fields to give back; the loader of the same request says so.
const continuing = new WeakSet<AppLoadContext>();

export const isContinuing = ({ context }: RouteArgs) => continuing.has(context);

/** Signs the browser in, and gives back the fields of a form that was posted after the session had ended. */
export async function leave(
  { args, posted, returnTo }: Attempt,
  user: CheckedUser,
  {
    cookies = [],
    isPasswordChecked = true,
  }: { cookies?: string[]; isPasswordChecked?: boolean } = {},
) {
  const headers = new Headers();
  for (const cookie of [...cookies, await signBrowserIn(args, user, { isPasswordChecked })])
    headers.append("Set-Cookie", cookie);
  const fields = unpackFields(posted.get(restoredFieldName));
  if (fields.length === 0) return redirect(returnTo, { status: 303, headers });
  continuing.add(args.context);
  return json<Answer>({ continueWith: { returnTo, fields } }, { headers });
}

export function restoredFields(restored: FormDataEntryValue | null) {
  return typeof restored === "string" ? { restored } : {};
}
