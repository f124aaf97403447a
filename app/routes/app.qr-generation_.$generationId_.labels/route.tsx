import { json, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import {
  isRouteErrorResponse,
  useLoaderData,
  useParams,
  useRouteError,
  useRouteLoaderData,
} from "@remix-run/react";
import { siteTimeZone } from "../../db/site.server";
import { environment } from "../../env.server";
import { getLabelledGeneration } from "../../features/labels/generation-labels.server";
import { screenRoute } from "../../http/answers.server";
import { requireUser } from "../../http/guards.server";
import { paths } from "../../paths";
import { MessageBlock } from "../../ui/feedback/message-block";
import { ButtonLink } from "../../ui/form/button";
import { ErrorContent } from "../../ui/layout/error-page";
import { Card, Page } from "../../ui/layout/page";
import { Downloads } from "./downloads";
import { LabelForm } from "./label-form";
import * as css from "./labels.css";
import { Preview } from "./preview";
import { labelScreen } from "./screen.server";

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  {
    title: `${data && Object.keys(data.form.problems).length > 0 ? "Error: " : ""}Labels - QR Generation - Promo Console`,
  },
];

export const loader = screenRoute(async (args: LoaderFunctionArgs) => {
  await requireUser(args);
  const generation = await getLabelledGeneration(args.params.generationId ?? "");
  const site = { template: environment().qrPayload, timeZone: siteTimeZone() };
  return json(await labelScreen(generation, new URL(args.request.url).searchParams, site));
});

export default function LabelsPage() {
  const screen = useLoaderData<typeof loader>();
  const { generation, form } = screen;
  return (
    <Page
      title={`Labels: ${generation.name}`}
      actions={<ButtonLink to={paths.generation(generation.id)}>Mass generation</ButtonLink>}
    >
      <div className={css.screen}>
        <Card className={css.options}>
          <LabelForm form={form} />
        </Card>
        <div className={css.outcome}>
          <Preview screen={screen} />
          <Downloads screen={screen} />
        </div>
      </div>
    </Page>
  );
}

/** A deleted generation is refused here with its reason; the shell knows words for the rest. */
export function ErrorBoundary() {
  const error = useRouteError();
  const { generationId = "" } = useParams();
  const root = useRouteLoaderData<{ requestId: string }>("root");
  const status = isRouteErrorResponse(error) ? error.status : 500;
  if (!isRouteErrorResponse(error) || status !== 409)
    return <ErrorContent status={status} homeHref={paths.home} requestId={root?.requestId} />;
  return (
    <Page title="Labels">
      <MessageBlock kind="warning">{String(error.data)}</MessageBlock>
      <p className={css.away}>
        <ButtonLink to={paths.generation(generationId)}>Mass generation</ButtonLink>
      </p>
    </Page>
  );
}
