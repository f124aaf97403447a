// Without script: the same; the form beside it loads the page again.
import { Fragment } from "react";
import { paths } from "../../paths";
import { MessageBlock } from "../../ui/feedback/message-block";
import { facts } from "../../ui/layout/layout.css";
import { Card } from "../../ui/layout/page";
import * as css from "./labels.css";
import type { LabelScreen } from "./screen.server";

/** The first sheet as it will be printed, and its figures. */
export function Preview({ screen }: { screen: LabelScreen }) {
  const { generation, address, paper, form } = screen;
  const hasErrors = Object.keys(form.problems).length > 0;
  return (
    <Card className={css.part}>
      <h2>Preview</h2>
      {hasErrors && (
        <MessageBlock kind="warning">
          The usual values stand in for those that can&apos;t be used.
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
      <dl className={facts}>
        {screen.facts.map(([name, value]) => (
          <Fragment key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </Fragment>
        ))}
      </dl>
    </Card>
  );
}
