// Without script: a picture, links, and a GET form for one of many SVG sheets.
import { formatNumber } from "../../format/number";
import { paths } from "../../paths";
import { MessageBlock } from "../../ui/feedback/message-block";
import { Button, ButtonLink } from "../../ui/form/button";
import { InputField } from "../../ui/form/field";
import { Card, FactList } from "../../ui/layout/page";
import { muted } from "#styles/global.css";
import * as css from "./labels.css";
import type { LabelScreen } from "./screen.server";

/** The first sheet as it will be printed, and its figures. */
export function Preview({ screen }: { screen: LabelScreen }) {
  const { generation, address, paper } = screen;
  return (
    <Card className={css.part}>
      <h2>Preview</h2>
      {screen.hasErrors && (
        <MessageBlock kind="warning">
          The preview uses default values in place of those that are not valid.
        </MessageBlock>
      )}
      {screen.warnings.map((warning) => (
        <MessageBlock key={warning} kind="warning">
          {warning}
        </MessageBlock>
      ))}
      <img
        className={paper.height > paper.width ? css.sheet.upright : css.sheet.lying}
        src={`${paths.labelsSvg(generation.id)}?${address}`}
        alt={screen.describePreview}
        width={Math.round(paper.width * 4)}
        height={Math.round(paper.height * 4)}
      />
      <FactList facts={screen.facts} />
    </Card>
  );
}

/** Nothing is printed from options that are not what was typed. */
export function Downloads({ screen, warning }: { screen: LabelScreen; warning: string | null }) {
  return (
    <Card className={css.part}>
      <h2>Download</h2>
      {warning && (
        <MessageBlock
          kind="warning"
          action={
            <ButtonLink to={paths.generationMachines(screen.generation.id)}>
              Assign machines
            </ButtonLink>
          }
        >
          {warning}
        </MessageBlock>
      )}
      {screen.hasErrors ? (
        <p className={muted}>Correct the form, then show the preview.</p>
      ) : (
        <>
          <Parts screen={screen} />
          <SvgSheet screen={screen} />
          <p className={muted}>
            Print at actual size (100%), without scaling to the page. Try one sheet on plain paper
            first and hold it against the labels.
          </p>
        </>
      )}
    </Card>
  );
}

function Parts({ screen: { generation, address, files } }: { screen: LabelScreen }) {
  const pdf = `${paths.labelsPdf(generation.id)}?${address}`;
  if (files.length === 1) return <FileLink to={pdf} isMain label="Download PDF" />;
  return (
    <ul className={css.parts}>
      {files.map(({ number, summary }) => (
        <li key={number} className={css.filePart}>
          <FileLink
            to={`${pdf}&part=${number}`}
            isMain={number === 1}
            label={`PDF part ${number}`}
          />
          <span>{summary}</span>
        </li>
      ))}
    </ul>
  );
}

function FileLink({ to, label, isMain = false }: { to: string; label: string; isMain?: boolean }) {
  return (
    <div>
      <ButtonLink
        to={to}
        reloadDocument
        download
        variant={isMain ? "primary" : "default"}
        icon="download"
      >
        {label}
      </ButtonLink>
    </div>
  );
}

function SvgSheet({ screen: { generation, address, sheets } }: { screen: LabelScreen }) {
  const svg = paths.labelsSvg(generation.id);
  if (sheets === 1) return <FileLink to={`${svg}?${address}`} label="Download SVG" />;
  return (
    <form method="get" action={svg} className={css.svgSheet}>
      {[...new URLSearchParams(address)].map(([name, value]) => (
        <input key={name + value} type="hidden" name={name} value={value} />
      ))}
      <InputField
        name="sheet"
        label={`Sheet as SVG, 1 to ${formatNumber(sheets)}`}
        type="number"
        min={1}
        max={sheets}
        defaultValue={1}
        required
      />
      <Button icon="download">Download SVG</Button>
    </form>
  );
}
