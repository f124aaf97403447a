import {
  json,
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  type MetaFunction,
} from "@remix-run/node";
import {
  Form,
  useActionData,
  useLoaderData,
  useLocation,
  useNavigation,
  type ClientActionFunctionArgs,
} from "@remix-run/react";
import { siteTimeZone } from "../../db/site.server";
import { listAddress } from "../../features/promotions/list-address";
import { getPromotion } from "../../features/promotions/list-promotions.server";
import { promotionWords } from "../../features/promotions/promotion-words";
import { restorePromotion } from "../../features/promotions/retire-promotions.server";
import { unansweredSentence } from "../../forms/unanswered";
import { formatCodes } from "../../format/promotion";
import { screenRoute } from "../../http/answers.server";
import { requireAdmin } from "../../http/guards.server";
import { redirectWithMessage } from "../../http/messages.server";
import { paths } from "../../paths";
import { SubmitButton } from "../../ui/form/submit-button";
import { DialogActions, DialogCancel, DialogRoute } from "../../ui/overlay/dialog-route";
import { FailureNote } from "../../ui/overlay/failure-note";

export const meta: MetaFunction = () => [{ title: "Confirm restoring - QR List - Promo Console" }];

export const loader = screenRoute(async (args: LoaderFunctionArgs) => {
  await requireAdmin(args);
  const promotion = await getPromotion(args.params.promotionId ?? "");
  return json(promotionWords(promotion, siteTimeZone()));
});

export const action = screenRoute(async (args: ActionFunctionArgs) => {
  const session = await requireAdmin(args);
  const posted = await args.request.formData();
  await restorePromotion(args.params.promotionId ?? "", {
    actor: session.user,
    requestId: args.context.requestId,
  });
  const isGeneration = posted.get("kind") === "mass_generation";
  return redirectWithMessage(session, listAddress(args.request.url), {
    kind: "success",
    text: `${isGeneration ? "Mass Generation" : "Promotion"} successfully restored`,
  });
});

/** With scripts the dialog outlives a request that gets no answer. */
export async function clientAction({ serverAction }: ClientActionFunctionArgs) {
  try {
    await serverAction<typeof action>();
    return { error: null };
  } catch (cause) {
    return { error: unansweredSentence(cause, "Error restoring promotion") };
  }
}

export default function RestoreDialog() {
  const { id, name, code, numberOfCodes } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof clientAction>();
  const { search } = useLocation();
  const isRestoring = useNavigation().formAction?.startsWith(paths.promotionRestoring(id)) ?? false;
  const closeTo = `${paths.qrList}${search}`;
  const isGeneration = numberOfCodes !== null;
  const codes = formatCodes(numberOfCodes ?? 1);
  return (
    <DialogRoute
      title={isGeneration ? "Restore the whole mass generation?" : "Restore the promotion?"}
      closeTo={closeTo}
      returnFocusTo={`restore-${id}`}
    >
      <FailureNote isPending={isRestoring}>{answer?.error}</FailureNote>
      <p>
        {isGeneration
          ? `The code ${code} belongs to the mass generation ‘${name}’. All its ${codes} are restored, each as it was before.`
          : `‘${name}’ (${code}) is restored as it was before.`}
      </p>
      <Form method="post" preventScrollReset>
        <input type="hidden" name="kind" value={isGeneration ? "mass_generation" : "promotion"} />
        <DialogActions>
          <SubmitButton isPending={isRestoring} pendingLabel="Restoring...">
            {isGeneration ? `Restore ${codes}` : "Restore"}
          </SubmitButton>
          <DialogCancel to={closeTo} />
        </DialogActions>
      </Form>
    </DialogRoute>
  );
}
