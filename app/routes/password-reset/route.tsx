import { json, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { requestPasswordReset } from "../../features/sign-in/account-links.server";
import { emailError } from "../../features/people/managed-user";
import { pageMeta } from "../../forms/page-meta";
import { originOf, savePassword, type AccountAnswer } from "../../http/account-forms.server";
import { requireSignedOut } from "../../http/guards.server";
import { mailedLink } from "../../http/mailed-link.server";
import { publicHandle } from "../../ui/layout/public-handle";

export const handle = publicHandle;

export const meta = pageMeta<{ email: string | null }>((data) =>
  data?.email ? "Set a new password" : "Forgot Password?",
);

export async function loader(args: LoaderFunctionArgs) {
  await requireSignedOut(args);
  const link = await mailedLink(args, "password_reset");
  return { email: link?.user?.email ?? null, hasEnded: link !== null && link.user === null };
}

export type Answer = AccountAnswer & { isSent?: boolean };

export async function action(args: ActionFunctionArgs) {
  await requireSignedOut(args);
  const posted = await args.request.clone().formData();
  if (posted.get("intent") === "save") return savePassword(args, "password_reset", "password");
  const email = String(posted.get("email") ?? "");
  const error = emailError(email);
  if (error) return json<Answer>({ errors: { email: error }, values: { email } }, { status: 422 });
  await requestPasswordReset(email, originOf(args));
  return json<Answer>({ isSent: true, values: { email } });
}

export { default } from "./page.static";
