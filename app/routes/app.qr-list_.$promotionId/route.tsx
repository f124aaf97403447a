import type { SerializeFrom } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { siteTimeZone } from "../../db/site.server";
import { History } from "../../features/activity/history";
import { MachinesCard } from "../../features/assignments/machines-card";
import { editFormValidator } from "../../features/promotions/form/promotion-forms";
import { editPromotion } from "../../features/promotions/form/edit-promotion.server";
import { RefusedAction } from "../../features/promotions/lifecycle/lifecycle-button";
import { siteToday } from "../../features/promotions/promotion-sql.server";
import { getPromotion } from "../../features/promotions/promotions.server";
import { StatusBadge } from "../../features/promotions/status-badge";
import { CodeActivity } from "../../features/redemptions/code-activity";
import { pageMeta } from "../../forms/page-meta";
import { rerenderForm } from "../../forms/validator";
import { screenLoader } from "../../http/answers.server";
import { checked, formsAction } from "../../http/form-action.server";
import { requireUser } from "../../http/guards.server";
import { lifecycleForms } from "../../http/lifecycle-forms.server";
import { paths } from "../../paths";
import { DetailColumns } from "../../ui/layout/detail";
import { MessageBlock } from "../../ui/feedback/message-block";
import { CopyButton } from "../../ui/form/copy-button";
import { DownloadOutcome, useDownload } from "../../ui/form/download";
import { parts } from "../../ui/layout/layout.css";
import { Page } from "../../ui/layout/page";
import { Facts, PromotionActions } from "./promotion-details";
import * as css from "./promotion-page.css";
import { editFacts, readPromotionPage } from "./screen.server";

export type PromotionPageData = SerializeFrom<typeof loader>;

export const meta = pageMeta<{ promotion: { name: string } }>(
  (page) => `${page?.promotion.name ?? "Promotion"} - QR List`,
);

export const loader = screenLoader(requireUser, readPromotionPage);

export const handle = { nameOf: (page: PromotionPageData) => page.promotion.name };

export const action = formsAction({
  guard: requireUser,
  forms: {
    "": checked(
      async ({ params }) => {
        const promotion = await getPromotion(params.promotionId ?? "");
        return editFormValidator(editFacts(promotion, await siteToday(), siteTimeZone()));
      },
      async (edit, { params: { promotionId = "" }, options }) => {
        await editPromotion(promotionId, edit, edit.version, options);
        return { to: paths.promotion(promotionId), text: "Promotion successfully updated" };
      },
    ),
    ...lifecycleForms("promotion"),
  },
});

export const clientAction = rerenderForm("Error updating promotion");

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
          <MachinesCard
            {...page.assigned}
            accepting="this code"
            assignTo={status === "deleted" ? null : paths.promotionMachines(id)}
          />
          <History entries={page.history} />
        </DetailColumns>
      </div>
    </Page>
  );
}
