import { redirect, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { allowAnyone } from "../http/guards.server";
import { signBrowserOut } from "../http/sessions.server";
import { paths } from "../paths";

/** A link or a reload can't sign anybody out. */
export async function loader(args: LoaderFunctionArgs) {
  await allowAnyone(args);
  return redirect(paths.home);
}

export async function action(args: ActionFunctionArgs) {
  await allowAnyone(args);
  return redirect(paths.login, {
    status: 303,
    headers: {
      "Set-Cookie": await signBrowserOut(args),
      // Clears cached pages, but not the cookies of theme and list settings.
      "Clear-Site-Data": '"cache"',
    },
  });
}
