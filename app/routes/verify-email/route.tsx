import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { verifyEmail } from "../../features/sign-in/account-links.server";
import { pageMeta } from "../../forms/page-meta";
import { originOf, refuse } from "../../http/account-forms.server";
import { allowAnyone } from "../../http/guards.server";
import { leaveMailedLink, mailedLink } from "../../http/mailed-link.server";
import { paths } from "../../paths";
import { publicHandle } from "../../ui/layout/public-handle";

export const handle = publicHandle;

export const meta = pageMeta("Verify email");

export async function loader(args: LoaderFunctionArgs) {
  await allowAnyone(args);
  const link = await mailedLink(args, "email_verification");
  return { email: link?.user?.email ?? null };
}

export async function action(args: ActionFunctionArgs) {
  await allowAnyone(args);
  const link = await mailedLink(args, "email_verification");
  try {
    await verifyEmail(link?.secret ?? "", originOf(args));
  } catch (cause) {
    return refuse(cause);
  }
  return leaveMailedLink("email_verification", paths.loginWith("email"));
}

export { default } from "./page.static";
