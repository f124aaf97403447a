import { redirect, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { allowAnyone, safeRedirectPath } from "../http/guards.server";
import { preferenceCookies } from "../http/preferences.server";
import { rowsPerPageCookies } from "../http/rows-per-page.server";
import { paths } from "../paths";
import { isDataRequest } from "../remix/data-requests";

export async function loader(args: LoaderFunctionArgs) {
  await allowAnyone(args);
  return redirect(paths.home);
}

export async function action(args: ActionFunctionArgs) {
  await allowAnyone(args);
  const posted = await args.request.formData();
  const headers = new Headers();
  const cookies = [
    ...preferenceCookies(args.request, posted),
    ...rowsPerPageCookies(args.request, posted),
  ];
  for (const cookie of cookies) headers.append("Set-Cookie", cookie);
  const returnTo = safeRedirectPath(posted.get("returnTo"), paths.home);
  // Without scripts a new page comes: its fragment gives the focus back to the control.
  const isDocument = !isDataRequest(new URL(args.request.url).searchParams);
  const control = isDocument && /^[\w-]+$/.exec(String(posted.get("control") ?? ""))?.[0];
  const target = control && !returnTo.includes("#") ? `${returnTo}#${control}` : returnTo;
  return redirect(target, { status: 303, headers });
}
