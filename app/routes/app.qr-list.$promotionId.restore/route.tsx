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
} from "@remix-run/react";
import { siteTimeZone } from "../../db/site.server";
import { listAddress } from "../../features/promotions/list/list-address";
import { getPromotion } from "../../features/promotions/list/list-promotions.server";
import { toPromotionView } from "../../features/promotions/promotion-view";
import { restorePromotion } from "../../features/promotions/lifecycle/promotion-lifecycle.server";
import { failureOf } from "../../forms/network-errors";
import { formatCodes } from "../../format/promotion";
import { screenRoute } from "../../http/answers.server";
import { requireAdmin } from "../../http/guards.server";
import { redirectWithMessage } from "../../http/messages.server";
import { paths } from "../../paths";
import { ConfirmDialog } from "../../ui/overlay/confirm-dialog";

export const meta: MetaFunction = () => [{ title: "Confirm restoring - QR List - Promo Console" }];

export const loader = screenRoute(async (args: LoaderFunctionArgs) => {
  await requireAdmin(args);
  const promotion = await getPromotion(args.params.promotionId ?? "");
  return json(toPromotionView(promotion, siteTimeZone()));
});

export const action = screenRoute(async (args: ActionFunctionArgs) => {
  const session = await requireAdmin(args);
  const posted = await args.request.formData();
  await restorePromotion(args.params.promotionId ?? "", {
    actor: session.actor,
  });
  const isGeneration = posted.get("kind") === "mass_generation";
  return redirectWithMessage(session, listAddress(args.request.url), {
    kind: "success",
    text: `${isGeneration ? "Mass Generation" : "Promotion"} successfully restored`,
  });
});

/** With scripts the dialog outlives a request that gets no answer. */
export function clientAction({ serverAction }: ClientActionFunctionArgs) {
  return failureOf(serverAction, "Error restoring promotion");
}

export default function RestoreDialog() {
  const { id, name, code, numberOfCodes } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof clientAction>();
  const { search } = useLocation();
  const closeTo = `${paths.qrList}${search}`;
  const isGeneration = numberOfCodes !== null;
  const codes = formatCodes(numberOfCodes ?? 1);
  return (
    <ConfirmDialog
      title={isGeneration ? "Restore the whole mass generation?" : "Restore the promotion?"}
      address={paths.promotionRestoring(id)}
      closeTo={closeTo}
      returnFocusTo={`restore-${id}`}
      verb={isGeneration ? `Restore ${codes}` : "Restore"}
      pendingVerb="Restoring..."
      fields={
        <input type="hidden" name="kind" value={isGeneration ? "mass_generation" : "promotion"} />
      }
      failure={answer?.error}
    >
      <p>
        {isGeneration
          ? `The code ${code} belongs to the mass generation ‘${name}’. All its ${codes} are restored, each as it was before.`
          : `‘${name}’ (${code}) is restored as it was before.`}
      </p>
    </ConfirmDialog>
  );
}
