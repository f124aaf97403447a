import {
  json,
  type ActionFunctionArgs,
  type AppLoadContext,
  type HeadersFunction,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
} from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { siteTimeZone } from "../../db/site.server";
import { DomainError } from "../../errors";
import { SignInRefused } from "../../features/users/sign-in.server";
import { retryAfterHeaders } from "../../http/form-action.server";
import { authenticateForm, signBrowserIn } from "../../http/sessions.server";
import { requireSignedOut, safeRedirectPath } from "../../http/guards.server";
import { paths } from "../../paths";
import {
  ContinuePage,
  greetingAt,
  LoginPage,
  packFields,
  restoredFieldName,
  type LoginAttempt,
  type RestoredForm,
  unpackFields,
} from "./login-page";

export const handle = { hydrate: false, icons: ["qr-generation", "alert", "info", "check"] };

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: data?.isContinuing ? "Continue - Promo Console" : "Sign in - Promo Console" },
];

export const headers: HeadersFunction = (args) => retryAfterHeaders(args);

// The action signed in and has fields to give back; the loader of the same request says so.
const continuing = new WeakSet<AppLoadContext>();

export async function loader(args: LoaderFunctionArgs) {
  await requireSignedOut(args);
  return {
    greeting: greetingAt(new Date(), siteTimeZone()),
    isContinuing: continuing.has(args.context),
  };
}

export async function action(args: ActionFunctionArgs) {
  await requireSignedOut(args);
  const { searchParams } = new URL(args.request.url);
  const returnTo = safeRedirectPath(searchParams.get("returnTo"), paths.home);
  const posted = await args.request.clone().formData();
  const restored = posted.get(restoredFieldName);

  // Posted by a form of ours after the session had ended (requireUser, `canRestore`).
  if (searchParams.has("restore") && restored === null)
    return json<Answer>({ restored: packFields(posted) }, 401);

  try {
    const user = await authenticateForm(args);
    const headers = { "Set-Cookie": await signBrowserIn(args, user) };
    const fields = unpackFields(restored);
    if (fields.length === 0) return redirect(returnTo, { status: 303, headers });
    continuing.add(args.context);
    return json<Answer>({ continueWith: { returnTo, fields } }, { headers });
  } catch (error) {
    const isBusy = error instanceof DomainError && error.reason === "unavailable";
    if (!isBusy && !(error instanceof SignInRefused)) throw error;
    if (isBusy) args.context.fault = error;
    const seconds = isBusy ? 2 : (error as SignInRefused).retryAfterSeconds;
    return json<Answer>(
      {
        refusal: error.message,
        email: String(posted.get("email") ?? "").slice(0, 254),
        ...(typeof restored === "string" && { restored }),
      },
      {
        status: isBusy ? 503 : seconds > 0 ? 429 : 401,
        headers: seconds > 0 ? { "Retry-After": String(seconds) } : {},
      },
    );
  }
}

type Answer = LoginAttempt & { continueWith?: RestoredForm };

export default function Login() {
  const { greeting } = useLoaderData<typeof loader>();
  const { continueWith, ...attempt }: Answer = useActionData<typeof action>() ?? {};
  if (continueWith) return <ContinuePage {...continueWith} />;
  return <LoginPage greeting={greeting} {...attempt} />;
}
