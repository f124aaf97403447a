import { redirect, type LoaderFunctionArgs } from "@remix-run/node";
import { allowAnyone } from "../http/guards.server";
import { paths } from "../paths";

/** rulings 1.4; who is not signed in is sent on from there. */
export async function loader(args: LoaderFunctionArgs) {
  await allowAnyone(args);
  return redirect(paths.dashboard);
}
