import {
  json,
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  type MetaFunction,
} from "@remix-run/node";
import { siteTimeZone } from "../../db/site.server";
import { environment } from "../../env.server";
import { DomainError, statusOfReason } from "../../errors";
import { startPasskeySignIn } from "../../features/second-factor/passkeys.server";
import { SignInRejected } from "../../features/sign-in/sign-in.server";
import { retryAfterHeaders } from "../../http/form-action.server";
import { authenticateForm } from "../../http/sessions.server";
import {
  endOfSecondStep,
  finishSecondStep,
  finishWithPasskey,
  needsCode,
  openSecondStep,
  trustThisBrowser,
} from "./second-step.server";
import { requireSignedOut, safeRedirectPath } from "../../http/guards.server";
import { readPreferences } from "../../http/preferences.server";
import { paths } from "../../paths";
import { publicHandle } from "../../ui/layout/public-handle";
import {
  type Answer,
  type Attempt,
  isContinuing,
  restoredFields,
  leave,
  rejectAttempt,
} from "./answers.server";
import { greetingAt, notices, restoredFieldName } from "./login-page";
import { packFields } from "./restored-form.server";

export const handle = publicHandle;

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: data?.isContinuing ? "Continue - Promo Console" : "Sign in - Promo Console" },
];

export const headers = retryAfterHeaders;

export async function loader(args: LoaderFunctionArgs) {
  await requireSignedOut(args);
  const notice = new URL(args.request.url).searchParams.get("notice") ?? "";
  return {
    greeting: greetingAt(new Date(), siteTimeZone()),
    notice: Object.hasOwn(notices, notice) ? notices[notice as keyof typeof notices] : null,
    canSignUp: environment().allowSignup,
    isLite: readPreferences(args.request).isLite,
    isContinuing: isContinuing(args),
  };
}

export async function action(args: ActionFunctionArgs) {
  await requireSignedOut(args);
  const { searchParams } = new URL(args.request.url);
  const returnTo = safeRedirectPath(searchParams.get("returnTo"), paths.home);
  const posted = await args.request.clone().formData();
  const restored = posted.get(restoredFieldName);

  const attempt = { args, posted, returnTo };
  const intent = posted.get("intent");
  if (intent === "code") return enterCode(attempt);
  if (intent === "ask-passkey" || intent === "passkey") return enterPasskey(attempt, intent);

  // Posted by a form of ours after the session had ended (requireUser, `canRestore`).
  if (searchParams.has("restore") && restored === null)
    return json<Answer>({ restored: packFields(posted) }, 401);

  try {
    const user = await authenticateForm(args);
    if (await needsCode(args, user)) {
      const headers = { "Set-Cookie": await openSecondStep(user) };
      return json<Answer>({ isSecondStep: true, ...restoredFields(restored) }, { headers });
    }
    return await leave(attempt, user);
  } catch (error) {
    return rejectAttempt(args, error, {
      email: String(posted.get("email") ?? "").slice(0, 254),
      ...restoredFields(restored),
    });
  }
}

/** The second step: the browser has a link of its own to the user whose password was right. */
async function enterCode(attempt: Attempt) {
  const { args, posted } = attempt;
  const restored = posted.get(restoredFieldName);
  try {
    const user = await finishSecondStep(args, String(posted.get("code") ?? ""));
    const isTrusted = posted.get("trust") !== null;
    const cookies = [endOfSecondStep(), ...(isTrusted ? [await trustThisBrowser(user)] : [])];
    return await leave(attempt, user, { cookies });
  } catch (cause) {
    const isRejected = cause instanceof SignInRejected;
    if (!isRejected && !(cause instanceof DomainError)) throw cause;
    const hasEnded = isRejected || cause.reason === "not_found";
    const answer = {
      rejection: cause.message,
      isSecondStep: !hasEnded,
      ...restoredFields(restored),
    };
    return json<Answer>(answer, { status: hasEnded ? 401 : statusOfReason[cause.reason] });
  }
}

/** Asks for a passkey, or signs in with it: with the password in the second step, or alone. */
async function enterPasskey(attempt: Attempt, intent: "ask-passkey" | "passkey") {
  const { args, posted } = attempt;
  const isSecondStep = posted.get("second_step") !== null;
  const step = { isSecondStep, ...restoredFields(posted.get(restoredFieldName)) };
  try {
    if (intent === "ask-passkey") {
      const passkeyRequest = await startPasskeySignIn(args.context.clientAddress);
      return json<Answer>({ passkeyRequest, ...step });
    }
    const credential = String(posted.get("credential") ?? "");
    const { user, isPasswordChecked } = await finishWithPasskey(args, credential, { isSecondStep });
    return await leave(attempt, user, { isPasswordChecked, cookies: [endOfSecondStep()] });
  } catch (error) {
    return rejectAttempt(args, error, step);
  }
}

export { default } from "./page";
