import { siteToday } from "../../db/site.server";
import type { SerializeFrom } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { History } from "../../features/activity/history";
import { MachinesCard } from "../../features/assignments/assigned-machines";
import {
  editPromotion,
  promotionEditFacts,
} from "../../features/promotions/form/edit-promotion.server";
import { getPromotion } from "../../features/promotions/promotions.server";
import { StatusBadge } from "../../features/promotions/status-badge";
import { CodeActivity } from "../../features/redemptions/code-activity";
import { MaskedNote, useCanEdit } from "../../features/sign-in/viewer";
import { pageMeta } from "../../forms/page-meta";
import { rerenderForm } from "../../forms/validator";
import { detailAction } from "../../http/detail-action.server";
import { formLoader } from "../../http/form-action.server";
import { requireUser } from "../../http/guards.server";
import { DetailColumns } from "../../ui/layout/detail";
import { MessageBlock } from "../../ui/feedback/message-block";
import { CopyButton } from "../../ui/form/copy-button";
import { DownloadOutcome, useDownload } from "../../ui/form/download";
import { parts } from "../../ui/layout/layout.css";
import { Page } from "../../ui/layout/page";
import { readPage } from "./page.server";
import { Facts, PromotionActions } from "./promotion-details";
import * as css from "./promotion-page.css";

export type PromotionPageData = SerializeFrom<typeof loader>;

export const meta = pageMeta();

export const loader = formLoader(requireUser, readPage);

export const handle = { nameOf: (page: PromotionPageData) => page.promotion.name };

export const action = detailAction(
  "promotion",
  async (id) => {
    const promotion = await getPromotion(id);
    return { ...promotionEditFacts(promotion, await siteToday()), version: promotion.version };
  },
  editPromotion,
);

export const clientAction = rerenderForm("Error updating code");

export default function PromotionPage() {
  const page = useLoaderData<typeof loader>();
  const { promotion } = page;
  const { id, name, code, status } = promotion;
  const isEditor = useCanEdit();
  const download = useDownload("qr");
  return (
    <Page
      title={name}
      beside={
        <>
          <StatusBadge status={status} />
          <span>
            <code className={css.code}>{code}</code>
            {isEditor && <CopyButton key={id} text={code} />}
          </span>
          <MaskedNote />
        </>
      }
      actions={isEditor && <PromotionActions key={id} page={page} download={download} />}
    >
      <div className={parts}>
        <DownloadOutcome download={download} />
        {page.problem && <MessageBlock kind="warning">{page.problem}</MessageBlock>}
        <DetailColumns aside={<Facts page={page} />}>
          <CodeActivity
            to={page.transactions}
            events={page.activity}
            figures={page.figures}
            archived={page.archived}
          />
          <MachinesCard {...page.assigned} accepting="this code" />
          <History entries={page.history} />
        </DetailColumns>
      </div>
    </Page>
  );
}
