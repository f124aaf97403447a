import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { pageMeta } from "../../forms/page-meta";
import { savePassword } from "../../http/account-forms.server";
import { requireSignedOut } from "../../http/guards.server";
import { mailedLink } from "../../http/mailed-link.server";
import { publicHandle } from "../../ui/layout/public-handle";

export const handle = publicHandle;

export const meta = pageMeta("Invitation");

export async function loader(args: LoaderFunctionArgs) {
  await requireSignedOut(args);
  const link = await mailedLink(args, "invitation");
  return { email: link?.user?.email ?? null };
}

export async function action(args: ActionFunctionArgs) {
  return savePassword(args, "invitation", "welcome");
}

export { default } from "./page.static";
