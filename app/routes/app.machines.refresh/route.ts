import { redirect, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import type { ClientActionFunctionArgs } from "@remix-run/react";
import { DomainError } from "../../errors";
import { machinesAddress } from "../../features/machines/machines-address";
import { refreshFor } from "../../features/promotions/manage-machines/refresh-machines.server";
import { networkErrorMessage } from "../../forms/network-errors";
import { screenRoute } from "../../http/answers.server";
import { requireUser } from "../../http/guards.server";
import { redirectWithMessage } from "../../http/messages.server";
import { paths } from "../../paths";

/** A reload or a link refreshes nothing. */
export const loader = screenRoute(async (args: LoaderFunctionArgs) => {
  await requireUser(args);
  return redirect(paths.machines);
});

/** Back to the list as it was, with what came of it. */
export const action = screenRoute(async (args: ActionFunctionArgs) => {
  const session = await requireUser(args);
  const posted = await args.request.formData();
  const back = machinesAddress(posted.get("returnTo"));
  try {
    return await redirectWithMessage(session, back, await refreshFor(session.user.id));
  } catch (cause) {
    if (!(cause instanceof DomainError)) throw cause;
    return redirectWithMessage(session, back, { kind: "error", text: cause.message });
  }
});

/** With scripts the list outlives a request that gets no answer. */
export async function clientAction({ serverAction }: ClientActionFunctionArgs) {
  try {
    return await serverAction<typeof action>();
  } catch (cause) {
    return { error: networkErrorMessage(cause, "Failed to refresh machines list") };
  }
}
