import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { verifyEmail } from "../../features/sign-in/account-links.server";
import { pageMeta } from "../../forms/page-meta";
import { allowAnyone } from "../../http/guards.server";
import { publicHandle } from "../../ui/layout/public-handle";
import { followMailedLink, loadMailedLink } from "../_account-links/mailed-link.server";

export const handle = publicHandle;

export const meta = pageMeta("Verify email");

export async function loader(args: LoaderFunctionArgs) {
  await allowAnyone(args);
  return loadMailedLink(args, "email_verification");
}

export async function action(args: ActionFunctionArgs) {
  await allowAnyone(args);
  return followMailedLink(args, "email_verification", { notice: "email", run: verifyEmail });
}

export { default } from "./page.static";
