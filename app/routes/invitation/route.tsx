import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { pageMeta } from "../../forms/page-meta";
import { allowAnyone } from "../../http/guards.server";
import { publicHandle } from "../../ui/layout/public-handle";
import { loadMailedLink, savePassword } from "../_account-links/mailed-link.server";

export const handle = publicHandle;

export const meta = pageMeta("Invitation");

export async function loader(args: LoaderFunctionArgs) {
  await allowAnyone(args);
  return loadMailedLink(args, "invitation");
}

export async function action(args: ActionFunctionArgs) {
  await allowAnyone(args);
  return savePassword(args, "invitation", "welcome");
}

export { default } from "./page.static";
