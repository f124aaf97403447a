import { redirect, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { DomainError } from "../../errors";
import { reactivatePromotion } from "../../features/promotions/lifecycle/promotion-lifecycle.server";
import { requireAdmin } from "../../http/guards.server";
import { redirectWithMessage } from "../../http/messages.server";
import { paths } from "../../paths";

/** A reload or a link reactivates nothing. */
export async function loader(args: LoaderFunctionArgs) {
  await requireAdmin(args);
  return redirect(paths.qrList);
}

/** Back to the promotion's own page, with what came of it. */
export async function action(args: ActionFunctionArgs) {
  const session = await requireAdmin(args);
  const id = args.params.promotionId ?? "";
  try {
    await reactivatePromotion(id, { actor: session.actor });
  } catch (cause) {
    if (!(cause instanceof DomainError)) throw cause;
    const back = cause.reason === "not_found" ? paths.qrList : paths.promotion(id);
    return redirectWithMessage(session, back, { kind: "error", text: cause.message });
  }
  return redirectWithMessage(session, paths.promotion(id), {
    kind: "success",
    text: "Promotion successfully reactivated",
  });
}
