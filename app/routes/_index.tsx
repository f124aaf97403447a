import { redirect, type LoaderFunctionArgs } from "@remix-run/node";
import { allowAnyone } from "../http/guards.server";
import { paths } from "../paths";

/** Redirects to the dashboard, which sends signed-out visitors to the sign-in page. */
export async function loader(args: LoaderFunctionArgs) {
  await allowAnyone(args);
  return redirect(paths.dashboard);
}
