import { redirect, type LoaderFunctionArgs } from "@remix-run/node";
import { requireUser } from "../http/guards.server";
import { paths } from "../paths";

export async function loader(args: LoaderFunctionArgs) {
  await requireUser(args);
  return redirect(paths.dashboard);
}
