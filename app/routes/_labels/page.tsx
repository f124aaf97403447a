// Without script: a GET form, whose buttons load the preview or a file, and a picture.
import { useLoaderData, useParams } from "@remix-run/react";
import { pageMeta } from "../../forms/page-meta";
import { paths } from "../../paths";
import { MessageBlock } from "../../ui/feedback/message-block";
import { ButtonLink } from "../../ui/form/button";
import { Card, Page } from "../../ui/layout/page";
import { LabelForm } from "./label-form";
import * as css from "./labels.css";
import type { LabelPageData, loader } from "./loader.server";
import { Downloads, Preview } from "./outcome";

export const meta = pageMeta("Labels");

export const handle = { nameOf: ({ screen }: LabelPageData) => screen?.name ?? "" };

export function LabelsPage() {
  const { screen, warning, refusal } = useLoaderData<typeof loader>();
  const { promotionId, generationId = "" } = useParams();
  const back = promotionId
    ? { to: paths.promotion(promotionId), machines: paths.promotionMachines(promotionId) }
    : { to: paths.generation(generationId), machines: paths.generationMachines(generationId) };
  return (
    <Page
      title={screen ? `Labels: ${screen.name}` : "Labels"}
      actions={<ButtonLink to={back.to}>{promotionId ? "Show code" : "Show campaign"}</ButtonLink>}
    >
      <p className={css.onPaper}>
        Print the PDF instead: labels printed from this page have the wrong size.
      </p>
      {screen ? (
        <div className={css.screen}>
          <div className={css.outcome}>
            <Card className={css.options}>
              <LabelForm form={screen.form} />
            </Card>
            <Downloads screen={screen} warning={warning} machines={back.machines} />
          </div>
          <Preview screen={screen} />
        </div>
      ) : (
        <MessageBlock kind="warning">{refusal}</MessageBlock>
      )}
    </Page>
  );
}
