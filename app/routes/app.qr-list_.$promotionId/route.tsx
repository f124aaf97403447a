import type { SerializeFrom } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { siteTimeZone } from "../../db/site.server";
import { History } from "../../features/activity/history";
import { promotionHistory } from "../../features/activity/audit-log.server";
import { toAssignedView } from "../../features/assignments/assigned-machines";
import { lastDay } from "../../features/promotions/expiry-date";
import {
  type EditFormFacts,
  editFormValidator,
} from "../../features/promotions/form/promotion-forms";
import { editPromotion } from "../../features/promotions/form/edit-promotion.server";
import type { Promotion } from "../../features/promotions/promotion";
import {
  describeRenewal,
  statusReason,
  toPromotionView,
} from "../../features/promotions/promotion-view";
import { siteToday } from "../../features/promotions/promotion-sql.server";
import { getPromotion, getPromotionDetails } from "../../features/promotions/promotions.server";
import { CodeActivity } from "../../features/redemptions/code-activity";
import { codeActivity } from "../../features/redemptions/activity.server";
import { formMeta } from "../../forms/form-meta";
import { keepForm } from "../../forms/validator";
import { formatDateTime } from "../../format/date";
import { screenLoader } from "../../http/answers.server";
import { formAction } from "../../http/form-action.server";
import { requireUser } from "../../http/guards.server";
import { wasRefused } from "../../http/messages.server";
import { paths } from "../../paths";
import { Card, Page } from "../../ui/layout/page";
import { EditForm, Facts, PromotionActions } from "./promotion-details";

export type PromotionPageData = SerializeFrom<typeof loader>;

export const meta = formMeta<{ promotion: { name: string } }>(
  (page) => `${page?.promotion.name ?? "Promotion"} - QR List`,
);

export const loader = screenLoader(requireUser, async (args, { user }) => {
  const timeZone = siteTimeZone();
  const [details, today] = await Promise.all([
    getPromotionDetails(args.params.promotionId ?? ""),
    siteToday(),
  ]);
  const { promotion, version } = details;
  return {
    version,
    promotion: toPromotionView(promotion, timeZone),
    reason: statusReason(promotion, details, timeZone),
    created: formatDateTime(promotion.createdAt, timeZone),
    renews: describeRenewal(promotion.renewsAt, timeZone),
    assigned: toAssignedView(details),
    edit: editFacts(promotion, today, timeZone),
    activity: await codeActivity(promotion.id, timeZone),
    history: await promotionHistory(promotion, timeZone),
    isAdmin: user.role === "admin",
    wasRefused: wasRefused(args.context),
  };
});

/** @param today YYYY-MM-DD in the site's zone */
function editFacts(
  { name, expiresAt, massGenerationId, isRenewable }: Promotion,
  today: string,
  timeZone: string,
): EditFormFacts & { name: string } {
  return {
    name,
    today,
    heldDay: expiresAt && lastDay(expiresAt, timeZone),
    isSingle: massGenerationId === null,
    isRenewable,
  };
}

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
  const { promotion, edit, activity, history } = page;
  return (
    <Page title={promotion.name} actions={<PromotionActions page={page} />}>
      <Facts page={page} />
      {promotion.status !== "deleted" && (
        <Card>
          <EditForm
            key={promotion.id}
            edit={edit}
            version={answer?.version ?? String(page.version)}
          />
        </Card>
      )}
      <CodeActivity code={promotion.code} events={activity} />
      <History entries={history} />
    </Page>
  );
}
