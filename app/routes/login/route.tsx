import {
  json,
  type ActionFunctionArgs,
  type AppLoadContext,
  type HeadersFunction,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
} from "@remix-run/node";
import { siteTimeZone } from "../../db/site.server";
import { environment } from "../../env.server";
import { DomainError, statusOfReason } from "../../errors";
import type { CheckedUser } from "../../features/users/user";
import { SignInRefused } from "../../features/users/sign-in.server";
import { retryAfterHeaders } from "../../http/form-action.server";
import { authenticateForm, signBrowserIn } from "../../http/sessions.server";
import {
  endOfSecondStep,
  finishSecondStep,
  needsCode,
  openSecondStep,
  trustThisBrowser,
} from "../../http/second-step.server";
import { requireSignedOut, safeRedirectPath } from "../../http/guards.server";
import { paths } from "../../paths";
import { publicHandle } from "../../ui/layout/public-handle";
import {
  greetingAt,
  notices,
  packFields,
  restoredFieldName,
  type LoginAttempt,
  type RestoredForm,
  unpackFields,
} from "./login-page";

export const handle = publicHandle;

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: data?.isContinuing ? "Continue - Promo Console" : "Sign in - Promo Console" },
];

export const headers: HeadersFunction = (args) => retryAfterHeaders(args);

// The action signed in and has fields to give back; the loader of the same request says so.
const continuing = new WeakSet<AppLoadContext>();

export async function loader(args: LoaderFunctionArgs) {
  await requireSignedOut(args);
  const notice = new URL(args.request.url).searchParams.get("notice") ?? "";
  return {
    greeting: greetingAt(new Date(), siteTimeZone()),
    notice: Object.hasOwn(notices, notice) ? notices[notice as keyof typeof notices] : null,
    canSignUp: environment().allowSignup,
    isContinuing: continuing.has(args.context),
  };
}

export async function action(args: ActionFunctionArgs) {
  await requireSignedOut(args);
  const { searchParams } = new URL(args.request.url);
  const returnTo = safeRedirectPath(searchParams.get("returnTo"), paths.home);
  const posted = await args.request.clone().formData();
  const restored = posted.get(restoredFieldName);

  if (posted.get("intent") === "code") return enterCode(args, posted, returnTo);

  // Posted by a form of ours after the session had ended (requireUser, `canRestore`).
  if (searchParams.has("restore") && restored === null)
    return json<Answer>({ restored: packFields(posted) }, 401);

  try {
    const user = await authenticateForm(args);
    if (await needsCode(args, user)) {
      const headers = { "Set-Cookie": await openSecondStep(user) };
      return json<Answer>({ isCodeAsked: true, ...keptFields(restored) }, { headers });
    }
    return await leave(args, user, { restored, returnTo });
  } catch (error) {
    const isBusy = error instanceof DomainError && error.reason === "unavailable";
    if (!isBusy && !(error instanceof SignInRefused)) throw error;
    if (isBusy) args.context.fault = error;
    const seconds = isBusy ? 2 : (error as SignInRefused).retryAfterSeconds;
    return json<Answer>(
      {
        refusal: error.message,
        email: String(posted.get("email") ?? "").slice(0, 254),
        ...keptFields(restored),
      },
      {
        status: isBusy ? 503 : seconds > 0 ? 429 : 401,
        headers: seconds > 0 ? { "Retry-After": String(seconds) } : {},
      },
    );
  }
}

/** The second step: the browser has a link of its own to the user whose password was right. */
async function enterCode(args: ActionFunctionArgs, posted: FormData, returnTo: string) {
  const restored = posted.get(restoredFieldName);
  try {
    const user = await finishSecondStep(args, String(posted.get("code") ?? ""));
    const isTrusted = posted.get("trust") !== null;
    const cookies = [endOfSecondStep(), ...(isTrusted ? [await trustThisBrowser(user)] : [])];
    return await leave(args, user, { restored, returnTo, cookies });
  } catch (cause) {
    const isRefused = cause instanceof SignInRefused;
    if (!isRefused && !(cause instanceof DomainError)) throw cause;
    const hasEnded = isRefused || cause.reason === "not_found";
    const answer = { refusal: cause.message, isCodeAsked: !hasEnded, ...keptFields(restored) };
    return json<Answer>(answer, { status: hasEnded ? 401 : statusOfReason[cause.reason] });
  }
}

/** Signs the browser in, and gives back the fields of a form that was posted after the session had ended. */
async function leave(
  args: ActionFunctionArgs,
  user: CheckedUser,
  {
    restored,
    returnTo,
    cookies = [],
  }: { restored: FormDataEntryValue | null; returnTo: string; cookies?: string[] },
) {
  const headers = new Headers();
  for (const cookie of [...cookies, await signBrowserIn(args, user)])
    headers.append("Set-Cookie", cookie);
  const fields = unpackFields(restored);
  if (fields.length === 0) return redirect(returnTo, { status: 303, headers });
  continuing.add(args.context);
  return json<Answer>({ continueWith: { returnTo, fields } }, { headers });
}

function keptFields(restored: FormDataEntryValue | null) {
  return typeof restored === "string" ? { restored } : {};
}

export type Answer = LoginAttempt & { continueWith?: RestoredForm; isCodeAsked?: boolean };

export { default } from "./page";
