// Without script: a GET form, whose buttons load the preview or a file, and a picture.
import { useLoaderData, useParams } from "@remix-run/react";
import { pageMeta } from "../../forms/page-meta";
import { formatNumber } from "../../format/number";
import { capitalized } from "../../format/text";
import { paths } from "../../paths";
import { MessageBlock } from "../../ui/feedback/message-block";
import { Button, ButtonLink } from "../../ui/form/button";
import { onPaper } from "../../ui/layout/layout.css";
import { Card, FactList, Page } from "../../ui/layout/page";
import { muted } from "#styles/global.css";
import { formId, LabelForm } from "./label-form";
import * as css from "./labels.css";
import type { LabelPageData, loader } from "./loader.server";
import type { LabelScreen } from "./screen.server";

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
      <p className={onPaper}>
        Print the PDF instead: labels printed from this page have the wrong size.
      </p>
      {screen ? (
        <div className={css.screen}>
          <div className={css.outcome}>
            <Card className={css.options}>
              <LabelForm />
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

/** The first chosen sheet as it will be printed, and its figures. */
function Preview({ screen }: { screen: LabelScreen }) {
  const { preview, chosen, path } = screen;
  return (
    <Card className={css.part}>
      <h2>Preview</h2>
      {screen.hasErrors && (
        <MessageBlock kind="warning">
          The preview uses default values in place of those that are not valid.
        </MessageBlock>
      )}
      {chosen.nothing && <MessageBlock kind="warning">{chosen.nothing}</MessageBlock>}
      {preview?.warnings.map((warning) => (
        <MessageBlock key={warning} kind="warning">
          {warning}
        </MessageBlock>
      ))}
      {preview && (
        <img
          className={
            preview.paper.height > preview.paper.width ? css.sheet.upright : css.sheet.lying
          }
          src={`${path}.svg?${preview.address}`}
          alt={preview.description}
          width={Math.round(preview.paper.width * 4)}
          height={Math.round(preview.paper.height * 4)}
        />
      )}
      <FactList facts={[...chosen.facts, ...(preview?.facts ?? [])]} />
    </Card>
  );
}

type DownloadsProps = {
  screen: LabelScreen;
  warning: string | null;
  /** Address at which machines are assigned. */
  machines: string;
};

/** Files of what the form says as it is, whether it was previewed or not. */
function Downloads({ screen, warning, machines }: DownloadsProps) {
  return (
    <Card className={css.part}>
      <h2>Download</h2>
      {warning && (
        <MessageBlock
          kind="warning"
          action={<ButtonLink to={machines}>Assign machines</ButtonLink>}
        >
          {warning}
        </MessageBlock>
      )}
      <PdfButtons screen={screen} />
      <div className={css.filePart}>
        <FileButton to={`${screen.path}.svg`}>Download SVG</FileButton>
        <span className={muted}>
          {screen.firstSheet === 1
            ? `The first ${screen.form.sheetNoun} alone, for other programs`
            : `${capitalized(screen.form.sheetNoun)} ${formatNumber(screen.firstSheet)} alone, for other programs`}
        </span>
      </div>
      <p className={muted}>
        Files follow the form as it is now. Print at actual size (100%), without scaling to the
        page. Try one sheet on plain paper first and hold it against the labels.
      </p>
    </Card>
  );
}

function PdfButtons({ screen: { path, files } }: { screen: LabelScreen }) {
  const to = `${path}.pdf`;
  if (files.length <= 1)
    return (
      <div>
        <FileButton to={to} variant="primary">
          Download PDF
        </FileButton>
      </div>
    );
  return (
    <>
      <ul className={css.parts}>
        {files.map(({ part, summary }, index) => (
          <li key={part} className={css.filePart}>
            <FileButton
              to={to}
              name="part"
              value={part}
              variant={index === 0 ? "primary" : "default"}
            >
              Download PDF part {index + 1}
            </FileButton>
            <span>{summary}</span>
          </li>
        ))}
      </ul>
      <p className={muted}>
        Download all parts before you load this page again. It divides the codes anew, and its parts
        may begin at other codes.
      </p>
    </>
  );
}

type FileButtonProps = Pick<
  Parameters<typeof Button>[0],
  "name" | "value" | "variant" | "children"
> & { to: string };

/** Sends the form to the address of a file. */
function FileButton({ to, ...button }: FileButtonProps) {
  return <Button {...button} form={formId} formAction={to} icon="download" />;
}
