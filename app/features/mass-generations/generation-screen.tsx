// Without script: the same.
import type { ReactNode } from "react";
import { paths } from "../../paths";
import { ButtonLink } from "../../ui/form/button";
import { MessageBlock } from "../../ui/feedback/message-block";
import { notes } from "../../ui/layout/layout.css";
import { LinkTabs, Page } from "../../ui/layout/page";
import type { FormPrefill } from "../promotions/form/create-promotion.server";

const tabs = [
  { to: paths.qrGeneration, label: "Single QR Code" },
  { to: paths.massGeneration, label: "Mass Generation" },
];

/** Frame of one screen with two forms, each at a URL of its own. */
export function GenerationScreen({
  copy,
  children,
}: {
  /** Source that the form was filled from. */
  copy: Pick<FormPrefill, "note"> | null;
  children: ReactNode;
}) {
  return (
    <Page
      title="QR Generation"
      actions={<ButtonLink to={paths.generations}>All generations</ButtonLink>}
    >
      <LinkTabs label="Kind of generation" tabs={tabs} />
      {copy && (
        <div className={notes}>
          <MessageBlock kind={copy.note.kind}>{copy.note.text}</MessageBlock>
        </div>
      )}
      {children}
    </Page>
  );
}
