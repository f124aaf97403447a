import {
  json,
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  type MetaFunction,
} from "@remix-run/node";
import {
  useActionData,
  useLoaderData,
  useLocation,
  type ClientActionFunctionArgs,
  type ClientLoaderFunctionArgs,
} from "@remix-run/react";
import { siteTimeZone } from "../../db/site.server";
import { DomainError, statusOfReason } from "../../errors";
import { listAddress } from "../../features/promotions/list/list-address";
import { getPromotion } from "../../features/promotions/list/list-promotions.server";
import { toPromotionView } from "../../features/promotions/promotion-view";
import { deletePromotion } from "../../features/promotions/lifecycle/promotion-lifecycle.server";
import { cachedPromotion } from "../../features/promotions/list/list-cache";
import { networkErrorMessage } from "../../forms/network-errors";
import { formatCodes } from "../../format/promotion";
import { screenRoute } from "../../http/answers.server";
import { requireUser } from "../../http/guards.server";
import { redirectWithMessage } from "../../http/messages.server";
import { paths } from "../../paths";
import { ConfirmDialog } from "../../ui/overlay/confirm-dialog";

export const meta: MetaFunction = () => [{ title: "Confirm deletion - QR List - Promo Console" }];

export const loader = screenRoute(async (args: LoaderFunctionArgs) => {
  await requireUser(args);
  const promotion = await getPromotion(args.params.promotionId ?? "");
  return json(toPromotionView(promotion, siteTimeZone()));
});

/** Over the list the dialog opens without a request. */
export async function clientLoader({ params, serverLoader }: ClientLoaderFunctionArgs) {
  return cachedPromotion(params.promotionId) ?? serverLoader<typeof loader>();
}

export async function action(args: ActionFunctionArgs) {
  const session = await requireUser(args);
  const posted = await args.request.formData();
  const isGeneration = posted.get("kind") === "mass_generation";
  try {
    await deletePromotion(args.params.promotionId ?? "", {
      actor: session.actor,
    });
  } catch (cause) {
    if (!(cause instanceof DomainError)) throw cause;
    return json({ error: cause.message }, { status: statusOfReason[cause.reason] });
  }
  return redirectWithMessage(session, listAddress(args.request.url), {
    kind: "success",
    text: `${isGeneration ? "Mass Generation" : "Promotion"} successfully deleted`,
  });
}

/** With scripts the dialog outlives a request that gets no answer. */
export async function clientAction({ request, serverAction }: ClientActionFunctionArgs) {
  const isGeneration = (await request.clone().formData()).get("kind") === "mass_generation";
  try {
    return await serverAction<typeof action>();
  } catch (cause) {
    const fallback = `Error deleting ${isGeneration ? "mass generation" : "promotion"}`;
    return { error: networkErrorMessage(cause, fallback) };
  }
}

export default function DeleteDialog() {
  const { id, name, code, numberOfCodes } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const { search } = useLocation();
  const closeTo = `${paths.qrList}${search}`;
  const isGeneration = numberOfCodes !== null;
  const codes = formatCodes(numberOfCodes ?? 1);
  return (
    <ConfirmDialog
      title={isGeneration ? "Confirm deletion of mass generation" : "Confirm deletion"}
      address={paths.promotionDeletion(id)}
      closeTo={closeTo}
      returnFocusTo={`delete-${id}`}
      verb={isGeneration ? `Delete ${codes}` : "Delete"}
      pendingVerb="Deleting..."
      isDangerous
      fields={
        <input type="hidden" name="kind" value={isGeneration ? "mass_generation" : "promotion"} />
      }
      failure={answer?.error}
    >
      <p>
        {isGeneration
          ? `The code ${code} belongs to the mass generation ‘${name}’ of ${codes}. All associated promotions are also marked deleted, and machines refuse them from then on.`
          : `‘${name}’ (${code}) is marked deleted. Machines refuse it from then on.`}
      </p>
      <p>An admin can restore it.</p>
    </ConfirmDialog>
  );
}
