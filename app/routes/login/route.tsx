import {
  json,
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  type MetaFunction,
} from "@remix-run/node";
import { siteHour } from "../../db/site.server";
import { settings } from "../../features/settings/settings.server";
import { DomainError } from "../../errors";
import { startPasskeySignIn } from "../../features/second-factor/passkeys.server";
import { SignInRejected } from "../../features/sign-in/sign-in.server";
import { titleMeta } from "../../forms/page-meta";
import { statusOf } from "../../http/answers.server";
import { authenticateForm, currentSession } from "../../http/sessions.server";
import {
  endOfSecondStep,
  finishSecondStep,
  finishWithPasskey,
  needsCode,
  openSecondStep,
  trustThisBrowser,
} from "./second-step.server";
import { requireSignedOut } from "../../http/guards.server";
import { readPreferences } from "../../http/preferences.server";
import { publicHandle } from "../../ui/layout/public-handle";
import {
  type Answer,
  type Attempt,
  giveBack,
  isContinuing,
  leave,
  readAttempt,
  rejectAttempt,
} from "./answers.server";
import { greetingAt, notices, restoredFieldName } from "./login-page";
import { packFields } from "./restored-form.server";

export const handle = publicHandle;

export const meta: MetaFunction<typeof loader> = ({ data, matches }) =>
  titleMeta(
    `${data?.wasRefused ? "Error: " : ""}${data?.isContinuing ? "Continue" : "Sign in"}`,
    matches,
  );

export async function loader(args: LoaderFunctionArgs) {
  if (!isContinuing(args)) await requireSignedOut(args);
  const notice = new URL(args.request.url).searchParams.get("notice") ?? "";
  return {
    greeting: greetingAt(await siteHour()),
    notice: Object.hasOwn(notices, notice) ? notices[notice as keyof typeof notices] : null,
    canSignUp: settings().allowSignup,
    isLite: readPreferences(args.request).isLite,
    isContinuing: isContinuing(args),
    wasRefused: args.context.wasRefused,
  };
}

export async function action(args: ActionFunctionArgs) {
  const attempt = await readAttempt(args);
  const { posted, field, prefill } = attempt;
  // Another tab has signed in meanwhile, or the page with the fields is loaded again.
  if (prefill.restored && (await currentSession(args))) return giveBack(attempt);
  await requireSignedOut(args);
  const intent = field("intent");
  if (intent === "code") return enterCode(attempt);
  if (intent === "ask-passkey" || intent === "passkey") return enterPasskey(attempt, intent);

  // Posted by a form of ours after the session had ended (requireUser, `canRestore`).
  const isInterrupted = new URL(args.request.url).searchParams.has("restore");
  if (isInterrupted && !posted.has(restoredFieldName))
    return json<Answer>({ restored: packFields(posted) }, 401);
  if (intent === "back") return json<Answer>(prefill);

  try {
    const user = await authenticateForm(args);
    if (await needsCode(args, user)) {
      const headers = { "Set-Cookie": await openSecondStep(user) };
      return json<Answer>({ isSecondStep: true, ...prefill }, { headers });
    }
    return await leave(attempt, user);
  } catch (error) {
    return rejectAttempt(attempt, error, { email: field("email").slice(0, 254) });
  }
}

/** The second step: the browser has a link of its own to the user whose password was right. */
async function enterCode(attempt: Attempt) {
  const { args, field, prefill } = attempt;
  try {
    const { user, passwordCheckedAt } = await finishSecondStep(args, field("code"));
    const cookies = [endOfSecondStep()];
    if (prefill.trust) cookies.push(await trustThisBrowser(user));
    return await leave(attempt, user, { passwordCheckedAt, cookies });
  } catch (cause) {
    const isRejected = cause instanceof SignInRejected;
    if (!isRejected && !(cause instanceof DomainError)) throw cause;
    args.context.wasRefused = true;
    const hasEnded = isRejected || cause.reason === "not_found";
    const answer = { rejection: cause.message, isSecondStep: !hasEnded, ...prefill };
    return json<Answer>(answer, hasEnded ? 401 : statusOf(cause));
  }
}

/** Asks for a passkey, or signs in with it: with the password in the second step, or alone. */
async function enterPasskey(attempt: Attempt, intent: "ask-passkey" | "passkey") {
  const { args, posted, field, prefill } = attempt;
  const isSecondStep = posted.has("second_step");
  try {
    if (intent === "ask-passkey") {
      const passkeyRequest = await startPasskeySignIn(args.context.clientAddress);
      return json<Answer>({ passkeyRequest, isSecondStep, ...prefill });
    }
    const { user, passwordCheckedAt } = await finishWithPasskey(args, field("credential"), {
      isSecondStep,
    });
    const cookies = [endOfSecondStep()];
    if (passwordCheckedAt && prefill.trust) cookies.push(await trustThisBrowser(user));
    return await leave(attempt, user, { passwordCheckedAt, cookies });
  } catch (error) {
    return rejectAttempt(attempt, error, { isSecondStep });
  }
}

export { default } from "./login-page";
