import { json, type LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { siteTimeZone } from "../../db/site.server";
import { editFormValidator } from "../../features/promotions/form/edit-form";
import { editPromotion } from "../../features/promotions/form/edit-promotion.server";
import { History } from "../../features/activity/history";
import { getPromotion } from "../../features/promotions/list/list-promotions.server";
import { getPromotionDetails } from "../../features/promotions/form/promotion-details.server";
import { promotionHistory } from "../../features/activity/history.server";
import { siteToday } from "../../features/promotions/site-day.server";
import { CodeActivity } from "../../features/redemptions/code-activity";
import { codeActivity } from "../../features/redemptions/activity.server";
import { formMeta } from "../../forms/form-meta";
import { keepForm } from "../../forms/validator";
import { screenRoute } from "../../http/answers.server";
import { formAction } from "../../http/form-action.server";
import { requireUser } from "../../http/guards.server";
import { wasRefused } from "../../http/messages.server";
import { paths } from "../../paths";
import { Card, Page } from "../../ui/layout/page";
import { EditForm } from "./edit-form";
import { Facts } from "./facts";
import { PromotionActions } from "./promotion-actions";
import { editFacts, toPageView } from "./page-view";

export const meta = formMeta<{ words: { name: string } }>(
  (page) => `${page?.words.name ?? "Promotion"} - QR List`,
);

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

export const action = formAction({
  guard: requireUser,
  async validator({ params }) {
    const promotion = await getPromotion(params.promotionId ?? "");
    return editFormValidator(editFacts(promotion, await siteToday(), siteTimeZone()));
  },
  async run(edit, { params: { promotionId = "" }, options }) {
    await editPromotion(promotionId, edit, edit.version, options);
    return { to: paths.promotion(promotionId), text: "Promotion successfully updated" };
  },
});

export const clientAction = keepForm("Error updating promotion");

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
