import { redirect, type LoaderFunctionArgs } from "@remix-run/node";
import { allowAnyone } from "../http/guards.server";

/** Redirects addresses of an older console. */
export async function loader(args: LoaderFunctionArgs) {
  await allowAnyone(args);
  const rest = (args.params["*"] ?? "").split("/").map(encodeURIComponent).join("/");
  return redirect(`/app/${rest}${new URL(args.request.url).search}`);
}
