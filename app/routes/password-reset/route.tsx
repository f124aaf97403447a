import { json, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { isOutgoingPaused } from "../../db/outgoing.server";
import { requestPasswordReset } from "../../features/sign-in/account-links.server";
import { pageMeta } from "../../forms/page-meta";
import { allowAnyone } from "../../http/guards.server";
import { originOf } from "../../http/sessions.server";
import { publicHandle } from "../../ui/layout/public-handle";
import {
  loadMailedLink,
  rerenderAccountForm,
  savePassword,
  type AccountAnswer,
} from "../_account-links/mailed-link.server";

export const handle = publicHandle;

export const meta = pageMeta<{ email: string | null }>((data) =>
  data?.email ? "Set a new password" : "Forgot Password?",
);

export async function loader(args: LoaderFunctionArgs) {
  await allowAnyone(args);
  return loadMailedLink(args, "password_reset");
}

export async function action(args: ActionFunctionArgs) {
  await allowAnyone(args);
  const posted = await args.request.clone().formData();
  if (posted.get("intent") === "save") return savePassword(args, "password_reset", "password");
  const email = String(posted.get("email") ?? "");
  try {
    await requestPasswordReset({ email }, originOf(args.context));
  } catch (cause) {
    return rerenderAccountForm(args, cause, { email });
  }
  // The link can be over before an admin resumes them.
  const sent = (await isOutgoingPaused())
    ? "No mail is sent now: outgoing messages are paused. Ask an admin to resume them, then ask for a link again."
    : `If ${email.trim()} has an account, a mail with a link is on its way. The link works for 10 minutes.`;
  return json<AccountAnswer>({ sent, values: { email } });
}

export { default } from "./page.static";
