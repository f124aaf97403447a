import type { SerializeFrom } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { siteTimeZone } from "../../db/site.server";
import { promotionHistory } from "../../features/activity/audit-log.server";
import { History } from "../../features/activity/history";
import { toAssignedView } from "../../features/assignments/assigned-machines";
import { MachinesCard } from "../../features/assignments/machines-card";
import {
  editPromotion,
  promotionEditFacts,
} from "../../features/promotions/form/edit-promotion.server";
import { RefusedAction } from "../../features/promotions/lifecycle/lifecycle-button";
import { mayReactivate } from "../../features/promotions/lifecycle/promotion-lifecycle.server";
import { siteToday } from "../../features/promotions/promotion-sql.server";
import {
  isMachineMissing,
  statusReason,
  toFacts,
  toPromotionView,
  toUseFigures,
} from "../../features/promotions/promotion-view";
import { getPromotion, getPromotionDetails } from "../../features/promotions/promotions.server";
import { StatusBadge } from "../../features/promotions/status-badge";
import { codeActivity, codeFigures } from "../../features/redemptions/activity.server";
import { CodeActivity } from "../../features/redemptions/code-activity";
import { pageMeta } from "../../forms/page-meta";
import { rerenderForm } from "../../forms/validator";
import { formatDateTime } from "../../format/date";
import { detailAction } from "../../http/detail-action.server";
import { formLoader } from "../../http/form-action.server";
import { requireUser } from "../../http/guards.server";
import { DetailColumns } from "../../ui/layout/detail";
import { MessageBlock } from "../../ui/feedback/message-block";
import { CopyButton } from "../../ui/form/copy-button";
import { DownloadOutcome, useDownload } from "../../ui/form/download";
import { parts } from "../../ui/layout/layout.css";
import { Page } from "../../ui/layout/page";
import { Facts, PromotionActions } from "./promotion-details";
import * as css from "./promotion-page.css";

export type PromotionPageData = SerializeFrom<typeof loader>;

export const meta = pageMeta<{ promotion: { name: string } }>(
  (page) => `${page?.promotion.name ?? "Code"} - QR List`,
);

export const loader = formLoader(requireUser, async (args, { user, actor }) => {
  const timeZone = siteTimeZone();
  const [details, today] = await Promise.all([
    getPromotionDetails(args.params.promotionId ?? ""),
    siteToday(),
  ]);
  const { promotion, version } = details;
  const { id, status } = promotion;
  const [figures, activity, history, canReactivate] = await Promise.all([
    codeFigures(id),
    codeActivity(id),
    promotionHistory(promotion, timeZone),
    details.isGenerationActive && status === "inactive" && mayReactivate("promotion", id, actor),
  ]);
  const isActive = status === "active";
  const isAdmin = user.role === "admin";
  const reason = statusReason(promotion, details, timeZone, { isAdmin, canReactivate });
  return {
    version,
    promotion: toPromotionView(promotion, timeZone),
    /** Why no machine accepts the code; null where one does. */
    problem: isActive && details.effective.count > 0 ? null : reason,
    created: formatDateTime(promotion.createdAt, timeZone),
    facts: Object.entries(toFacts(promotion, timeZone)),
    assigned: toAssignedView(details, isActive),
    edit: promotionEditFacts(promotion, today),
    figures: [
      ...toUseFigures(promotion),
      { name: "Discount given", value: figures.discount, note: figures.discountNote },
      { name: "Refused, 30 days", value: figures.refused },
    ],
    activity,
    history,
    isMachineMissing: isMachineMissing(status, details),
    isAdmin,
    canReactivate,
    canDeactivateAll: details.isGenerationActive && status !== "deleted",
    replaces: details.replaces,
    replacement: details.replacement,
  };
});

export const handle = { nameOf: (page: PromotionPageData) => page.promotion.name };

export const action = detailAction(
  "promotion",
  async (id) => promotionEditFacts(await getPromotion(id), await siteToday()),
  (id, edit, options) => editPromotion(id, edit, edit.version, options),
);

export const clientAction = rerenderForm("Error updating code");

export default function PromotionPage() {
  const page = useLoaderData<typeof loader>();
  const { promotion } = page;
  const { id, name, code, status } = promotion;
  const download = useDownload({
    done: "QR code downloaded successfully",
    failed: "Failed to download QR code",
  });
  return (
    <Page
      title={name}
      beside={
        <>
          <StatusBadge status={status} />
          <span className={css.codeWithCopy}>
            <code className={css.code}>{code}</code>
            <CopyButton key={id} text={code} />
          </span>
        </>
      }
      actions={<PromotionActions key={id} page={page} download={download} />}
    >
      <div className={parts}>
        <RefusedAction />
        <DownloadOutcome download={download} />
        {page.problem && <MessageBlock kind="warning">{page.problem}</MessageBlock>}
        <DetailColumns aside={<Facts page={page} />}>
          <CodeActivity code={code} events={page.activity} figures={page.figures} />
          <MachinesCard {...page.assigned} accepting="this code" />
          <History entries={page.history} />
        </DetailColumns>
      </div>
    </Page>
  );
}
