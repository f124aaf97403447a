import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { findEmailUndo, undoEmailChange } from "../../features/people/email-undo.server";
import { replaceRecipient } from "../../features/report-schedules/schedules.server";
import { pageMeta } from "../../forms/page-meta";
import { allowAnyone } from "../../http/guards.server";
import { publicHandle } from "../../ui/layout/public-handle";
import { followMailedLink, mailedSecret } from "../_account-links/mailed-link.server";

export const handle = publicHandle;

export const meta = pageMeta("Restore your address");

export async function loader(args: LoaderFunctionArgs) {
  await allowAnyone(args);
  const secret = mailedSecret(args, "email_undo");
  const undo = secret ? await findEmailUndo(secret) : null;
  return {
    undo: undo && { email: undo.email, currentEmail: undo.currentEmail },
    wasRefused: args.context.wasRefused,
  };
}

export async function action(args: ActionFunctionArgs) {
  await allowAnyone(args);
  return followMailedLink(args, "email_undo", {
    notice: "undone",
    run: (secret, origin) => undoEmailChange(secret, origin, replaceRecipient),
  });
}

export { default } from "./page.static";
