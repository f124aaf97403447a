import { json, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { queuedMessage } from "../../features/outgoing/outgoing.server";
import { settings } from "../../features/settings/settings.server";
import { signUp } from "../../features/sign-in/account-links.server";
import { pageMeta } from "../../forms/page-meta";
import { requireSignedOut } from "../../http/guards.server";
import { originOf } from "../../http/sessions.server";
import { publicHandle } from "../../ui/layout/public-handle";
import {
  postedPassword,
  rerenderAccountForm,
  type AccountAnswer,
} from "../_account-links/mailed-link.server";

export const handle = publicHandle;

export const meta = pageMeta("Sign up");

/** The screen exists only with ALLOW_SIGNUP. */
function requireSignUp(): void {
  if (!settings().allowSignup) throw new Response(null, { status: 404 });
}

export async function loader(args: LoaderFunctionArgs) {
  await requireSignedOut(args);
  requireSignUp();
  return { wasRefused: args.context.wasRefused };
}

export async function action(args: ActionFunctionArgs) {
  await requireSignedOut(args);
  requireSignUp();
  const posted = await args.request.formData();
  const text = (name: string) => String(posted.get(name) ?? "");
  const values = {
    firstName: text("firstName").trim(),
    lastName: text("lastName").trim(),
    email: text("email").trim(),
  };
  try {
    await signUp({ ...values, ...postedPassword(posted) }, originOf(args.context));
  } catch (cause) {
    return rerenderAccountForm(args, cause, values);
  }
  const { text: sent } = await queuedMessage(
    {
      text: `A mail is on its way to ${values.email}. Open its link within 24 hours to verify your address. Then sign in.`,
    },
    `A mail to ${values.email} with a link to verify your address will be sent`,
  );
  return json<AccountAnswer>({ sent });
}

export { default } from "./page.static";
