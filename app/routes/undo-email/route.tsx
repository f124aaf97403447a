import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { findEmailUndo, undoEmailChange } from "../../features/people/email-undo.server";
import { pageMeta } from "../../forms/page-meta";
import { originOf, refuse } from "../../http/account-forms.server";
import { allowAnyone } from "../../http/guards.server";
import { leaveMailedLink, mailedSecret } from "../../http/mailed-link.server";
import { paths } from "../../paths";
import { publicHandle } from "../../ui/layout/public-handle";

export const handle = publicHandle;

export const meta = pageMeta("Put an email address back");

export async function loader(args: LoaderFunctionArgs) {
  await allowAnyone(args);
  const secret = mailedSecret(args, "email_undo");
  const undo = secret ? await findEmailUndo(secret) : null;
  return { undo: undo && { email: undo.email, currentEmail: undo.currentEmail } };
}

export async function action(args: ActionFunctionArgs) {
  await allowAnyone(args);
  try {
    await undoEmailChange(mailedSecret(args, "email_undo") ?? "", originOf(args));
  } catch (cause) {
    return refuse(cause);
  }
  return leaveMailedLink("email_undo", paths.loginWith("undone"));
}

export { default } from "./page.static";
