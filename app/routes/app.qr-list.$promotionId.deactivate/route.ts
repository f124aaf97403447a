import { redirect, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import type { ClientActionFunctionArgs } from "@remix-run/react";
import { DomainError } from "../../errors";
import { listAddress } from "../../features/promotions/list/list-address";
import { deactivatePromotion } from "../../features/promotions/lifecycle/promotion-lifecycle.server";
import { networkErrorMessage } from "../../forms/network-errors";
import { requireUser } from "../../http/guards.server";
import { redirectWithMessage } from "../../http/messages.server";
import { paths } from "../../paths";

/** A reload or a link deactivates nothing. */
export async function loader(args: LoaderFunctionArgs) {
  await requireUser(args);
  return redirect(paths.qrList);
}

/** Back to the list as it was, with what came of it. */
export async function action(args: ActionFunctionArgs) {
  const session = await requireUser(args);
  const back = listAddress(args.request.url);
  try {
    await deactivatePromotion(args.params.promotionId ?? "", {
      actor: session.actor,
    });
  } catch (cause) {
    if (!(cause instanceof DomainError)) throw cause;
    return redirectWithMessage(session, back, { kind: "error", text: cause.message });
  }
  return redirectWithMessage(session, back, {
    kind: "success",
    text: "Promotion successfully deactivated",
  });
}

/** With scripts the list outlives a request that gets no answer. */
export async function clientAction({ serverAction }: ClientActionFunctionArgs) {
  try {
    return await serverAction<typeof action>();
  } catch (cause) {
    return { error: networkErrorMessage(cause, "Error deactivating promotion") };
  }
}
