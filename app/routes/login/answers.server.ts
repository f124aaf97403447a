/** The answers of the sign-in page to what was posted. */
import { json, redirect, type ActionFunctionArgs, type AppLoadContext } from "@remix-run/node";
import { DomainError } from "../../errors";
import type { PasskeyRequest } from "../../features/second-factor/passkey";
import type { PasswordCheck } from "../../features/sign-in/sessions.server";
import { SignInRejected } from "../../features/sign-in/sign-in.server";
import type { CheckedUser } from "../../features/sign-in/user";
import { safeRedirectPath } from "../../http/guards.server";
import { signBrowserIn, type RouteArgs } from "../../http/sessions.server";
import { paths } from "../../paths";
import { restoredFieldName, type LoginAttempt, type RestoredForm } from "./login-page";
import { unpackFields } from "./restored-form.server";

export type Answer = LoginAttempt & {
  continueWith?: RestoredForm;
  isSecondStep?: boolean;
  passkeyRequest?: PasskeyRequest;
};

export type Attempt = {
  args: ActionFunctionArgs;
  posted: FormData;
  /** Returns the first value of a field as text; '' if it was not posted. */
  field: (name: string) => string;
  returnTo: string;
  /** Values that the next page of the sign-in sends again. */
  prefill: Pick<Answer, "restored" | "trust">;
};

export async function readAttempt(args: ActionFunctionArgs): Promise<Attempt> {
  const posted = await args.request.clone().formData();
  const returnTo = new URL(args.request.url).searchParams.get("returnTo");
  const packed = posted.get(restoredFieldName);
  return {
    args,
    posted,
    returnTo: safeRedirectPath(returnTo, paths.dashboard),
    field: (name) => String(posted.get(name) ?? ""),
    prefill: {
      restored: typeof packed === "string" ? packed : undefined,
      trust: posted.has("trust"),
    },
  };
}

/** Shows the form again, with the reason of the rejection; other errors are thrown on. */
export function rejectAttempt(
  { args: { context }, prefill }: Attempt,
  error: unknown,
  answer: Answer,
) {
  const isBusy = error instanceof DomainError && error.reason === "unavailable";
  if (!isBusy && !(error instanceof SignInRejected)) throw error;
  if (isBusy) context.fault = error;
  context.wasRefused = true;
  const seconds = isBusy ? 2 : (error as SignInRejected).retryAfterSeconds;
  return json<Answer>(
    { rejection: error.message, ...prefill, ...answer },
    {
      status: isBusy ? 503 : seconds > 0 ? 429 : 401,
      headers: seconds > 0 ? { "Retry-After": String(seconds) } : {},
    },
  );
}

// The action signed in and has fields to give back; the loader of the same request says so.
const continuing = new WeakSet<AppLoadContext>();

export const isContinuing = ({ context }: RouteArgs) => continuing.has(context);

/** Signs the browser in, and leads to where it wanted to go. */
export async function leave(
  attempt: Attempt,
  user: CheckedUser,
  {
    cookies = [],
    passwordCheckedAt = "now",
  }: { cookies?: string[]; passwordCheckedAt?: PasswordCheck } = {},
) {
  const headers = new Headers();
  for (const cookie of [...cookies, await signBrowserIn(attempt.args, user, { passwordCheckedAt })])
    headers.append("Set-Cookie", cookie);
  return giveBack(attempt, headers);
}

/** Gives back the form that was posted after the session had ended; without one, or if it was too long, leads on. */
export function giveBack(
  { args, returnTo, prefill: { restored } }: Attempt,
  headers = new Headers(),
) {
  if (!restored) return redirect(returnTo, { status: 303, headers });
  continuing.add(args.context);
  return json<Answer>({ continueWith: { returnTo, fields: unpackFields(restored) } }, { headers });
}
