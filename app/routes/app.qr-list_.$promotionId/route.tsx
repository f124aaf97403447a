import {
  json,
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  type MetaFunction,
} from "@remix-run/node";
import { useActionData, useLoaderData, type ClientActionFunctionArgs } from "@remix-run/react";
import { siteTimeZone } from "../../db/site.server";
import { DomainError, statusOfReason } from "../../errors";
import { editFormValidator } from "../../features/promotions/form/edit-form";
import { editPromotion } from "../../features/promotions/form/edit-promotion.server";
import { History } from "../../features/activity/history";
import { getPromotion } from "../../features/promotions/list/list-promotions.server";
import { getPromotionDetails } from "../../features/promotions/form/promotion-details.server";
import { promotionHistory } from "../../features/activity/history.server";
import { siteToday } from "../../features/promotions/site-day.server";
import { CodeActivity } from "../../features/redemptions/code-activity";
import { codeActivity } from "../../features/redemptions/code-activity.server";
import { actionOrSignIn, networkErrorMessage } from "../../forms/network-errors";
import { refillForm, wholeFormError, type FieldErrors } from "../../forms/validator";
import { screenRoute } from "../../http/answers.server";
import { requireUser } from "../../http/guards.server";
import { redirectWithMessage } from "../../http/messages.server";
import { markRefused, wasRefused } from "../../http/refused.server";
import { paths } from "../../paths";
import { Card, Page } from "../../ui/layout/page";
import { EditForm } from "./edit-form";
import { Facts } from "./facts";
import { PromotionActions } from "./promotion-actions";
import { editFacts, toPageView } from "./page-view";

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  {
    title: `${data?.wasRefused ? "Error: " : ""}${data?.words.name ?? "Promotion"} - QR List - Promo Console`,
  },
];

export const loader = screenRoute(async (args: LoaderFunctionArgs) => {
  const { user } = await requireUser(args);
  const timeZone = siteTimeZone();
  const [details, today] = await Promise.all([
    getPromotionDetails(args.params.promotionId ?? ""),
    siteToday(),
  ]);
  return json({
    ...toPageView(details, timeZone),
    edit: editFacts(details.promotion, today, timeZone),
    activity: await codeActivity(details.promotion.id, timeZone),
    history: await promotionHistory(details.promotion, timeZone),
    isAdmin: user.role === "admin",
    wasRefused: wasRefused(args.context),
  });
});

export const action = screenRoute(async (args: ActionFunctionArgs) => {
  const session = await requireUser(args, { canRestore: true });
  const posted = await args.request.formData();
  const promotion = await getPromotion(args.params.promotionId ?? "");
  const facts = editFacts(promotion, await siteToday(), siteTimeZone());

  // The form as it was typed. After a conflict it names the version that the page shows then.
  const refill = async (errors: FieldErrors, status: number) => {
    if (status !== 200) markRefused(args.context);
    const answer = await refillForm(errors, Object.fromEntries(posted), { status }).json();
    const version = status === 409 ? null : String(posted.get("version") ?? "");
    return json({ ...answer, version }, { status });
  };

  if (posted.get("intent") === "restore") return refill({}, 200);
  const { data, error } = await editFormValidator(facts).validate(posted);
  if (error) return refill(error.fieldErrors, 422);
  try {
    await editPromotion(promotion.id, data, data.version, { actor: session.actor });
  } catch (cause) {
    if (!(cause instanceof DomainError)) throw cause;
    const errors = Object.keys(cause.fields).length
      ? cause.fields
      : { [wholeFormError]: cause.message };
    return refill(errors, statusOfReason[cause.reason]);
  }
  return redirectWithMessage(session, paths.promotion(promotion.id), {
    kind: "success",
    text: "Promotion successfully updated",
  });
});

/** With scripts the page outlives a request that gets no answer, and so does what was typed. */
export async function clientAction({ request, serverAction }: ClientActionFunctionArgs) {
  const version = String((await request.clone().formData()).get("version") ?? "");
  try {
    return await actionOrSignIn(request, () => serverAction<typeof action>());
  } catch (cause) {
    const sentence = networkErrorMessage(cause, "Error updating promotion");
    return { fieldErrors: { [wholeFormError]: sentence }, version };
  }
}

export default function PromotionPage() {
  const page = useLoaderData<typeof loader>();
  const answer = useActionData<{ version?: string | null }>();
  const { words, edit, history, isAdmin } = page;
  return (
    <Page title={words.name} actions={<PromotionActions words={words} isAdmin={isAdmin} />}>
      <Facts page={page} />
      {words.status !== "deleted" && (
        <Card>
          <EditForm key={words.id} edit={edit} version={answer?.version ?? String(page.version)} />
        </Card>
      )}
      <CodeActivity code={words.code} events={page.activity} />
      <History entries={history} />
    </Page>
  );
}
