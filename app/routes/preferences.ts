import { json, redirect, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import type { ClientActionFunctionArgs } from "@remix-run/react";
import { actionOrSignIn, networkErrorMessage } from "../forms/network-errors";
import { allowAnyone, safeRedirectPath } from "../http/guards.server";
import { preferenceCookies } from "../http/preferences.server";
import { rowsPerPageCookies } from "../http/rows-per-page.server";
import { paths } from "../paths";
import { connectionNotice } from "../ui/connection/connection-notice";

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
  // With scripts the page stays, with its answers to forms, and is read again.
  if (!args.context.isDocument) return json({ isSaved: true }, { headers });
  const returnTo = safeRedirectPath(posted.get("returnTo"), paths.home);
  // The fragment gives the focus back to the control.
  const control = /^[\w-]{1,100}$/.exec(String(posted.get("control") ?? ""))?.[0];
  const target = control && !returnTo.includes("#") ? `${returnTo}#${control}` : returnTo;
  return redirect(target, { status: 303, headers });
}

/** Keeps the page, with what is typed in it, when the choice can't be saved, and says why. */
export async function clientAction({ request, serverAction }: ClientActionFunctionArgs) {
  try {
    return await actionOrSignIn(request, () => serverAction<typeof action>());
  } catch (cause) {
    connectionNotice.tellOutcome(await networkErrorMessage(cause, "Error saving your choice"));
    return { isSaved: false };
  }
}
