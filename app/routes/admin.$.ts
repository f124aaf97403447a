import { redirect, type LoaderFunctionArgs } from "@remix-run/node";
import { allowAnyone } from "../http/guards.server";

/** core §2 leftovers: addresses of an older console keep working (rulings 1.4). */
export async function loader(args: LoaderFunctionArgs) {
  await allowAnyone(args);
  const rest = (args.params["*"] ?? "").split("/").map(encodeURIComponent).join("/");
  return redirect(`/app/${rest}${new URL(args.request.url).search}`);
}
