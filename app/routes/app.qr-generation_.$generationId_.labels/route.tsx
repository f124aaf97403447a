import { json, type MetaFunction } from "@remix-run/node";
import { useLoaderData, useParams } from "@remix-run/react";
import { siteTimeZone } from "../../db/site.server";
import { environment } from "../../env.server";
import { DomainError } from "../../errors";
import {
  getUndeletedGeneration,
  readGenerationAssigned,
} from "../../features/mass-generations/mass-generation.server";
import { noMachineYet } from "../../features/promotions/promotion-view";
import { screenLoader } from "../../http/answers.server";
import { requireUser } from "../../http/guards.server";
import { paths } from "../../paths";
import { MessageBlock } from "../../ui/feedback/message-block";
import { ButtonLink } from "../../ui/form/button";
import { Card, Page } from "../../ui/layout/page";
import { LabelForm } from "./label-form";
import * as css from "./labels.css";
import { Downloads, Preview } from "./outcome";
import type { LabelScreen } from "./screen.server";

export const meta: MetaFunction<typeof loader> = ({ data }) => {
  const prefix = data?.screen?.hasErrors ? "Error: " : "";
  return [{ title: `${prefix}Labels - QR Generation - Promo Console` }];
};

type Answer =
  | {
      screen: LabelScreen;
      /** Why nothing should be printed yet. */
      warning: string | null;
      refusal: null;
    }
  | { screen: null; warning: null; refusal: string };

export const loader = screenLoader(requireUser, async (args) => {
  try {
    const generation = await getUndeletedGeneration(args.params.generationId ?? "");
    const site = { template: environment().qrPayload, timeZone: siteTimeZone() };
    const { searchParams } = new URL(args.request.url);
    const { labelScreen } = await import("./screen.server");
    const [screen, { effective }] = await Promise.all([
      labelScreen(generation, searchParams, site),
      readGenerationAssigned(generation.id),
    ]);
    const warning = effective.count === 0 ? noMachineYet(generation.numCodes) : null;
    return json<Answer>({ screen, warning, refusal: null });
  } catch (error) {
    if (!(error instanceof DomainError) || error.reason !== "conflict") throw error;
    return json<Answer>({ screen: null, warning: null, refusal: error.message }, { status: 409 });
  }
});

export const handle = { nameOf: ({ screen }: Answer) => screen?.generation.name ?? "" };

export default function LabelsPage() {
  const { screen, warning, refusal } = useLoaderData<typeof loader>();
  const { generationId = "" } = useParams();
  return (
    <Page
      title={screen ? `Labels: ${screen.generation.name}` : "Labels"}
      actions={<ButtonLink to={paths.generation(generationId)}>Show campaign</ButtonLink>}
    >
      {screen ? (
        <div className={css.screen}>
          <div className={css.outcome}>
            <Card className={css.options}>
              <LabelForm form={screen.form} />
            </Card>
            <Downloads screen={screen} warning={warning} />
          </div>
          <Preview screen={screen} />
        </div>
      ) : (
        <MessageBlock kind="warning">{refusal}</MessageBlock>
      )}
    </Page>
  );
}
