import { redirect, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { allowAnyone } from "../http/guards.server";
import { signOut } from "../http/sessions.server";
import { paths } from "../paths";

/** A link or a reload can't sign anybody out. */
export async function loader(args: LoaderFunctionArgs) {
  await allowAnyone(args);
  return redirect(paths.home);
}

export async function action(args: ActionFunctionArgs) {
  await allowAnyone(args);
  return signOut(args);
}
