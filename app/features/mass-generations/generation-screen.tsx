// Without script: the tabs are links to empty forms; a button of the form carries over what is entered.
import { useSubmit } from "@remix-run/react";
import type { MouseEvent, ReactNode } from "react";
import { paths } from "../../paths";
import { ButtonLink } from "../../ui/form/button";
import { MessageBlock } from "../../ui/feedback/message-block";
import { notes } from "../../ui/layout/layout.css";
import { LinkTabs, Page } from "../../ui/layout/page";
import { OfRecord } from "../../ui/validated-form/of-record";
import { switchButtonId, switchIntent } from "../promotions/form/promotion-forms";
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
  copy: Pick<FormPrefill, "id" | "note"> | null;
  children: ReactNode;
}) {
  const submit = useSubmit();

  /** Carries what is entered into the other form. */
  function switchForm(event: MouseEvent<HTMLAnchorElement>) {
    const link = event.currentTarget;
    const { form } = document.getElementById(switchButtonId) as HTMLButtonElement;
    const isPlain = !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
    if (!isPlain || link.hasAttribute("aria-current")) return;
    event.preventDefault();
    const fields = new FormData(form!);
    fields.set("intent", switchIntent);
    submit(fields, { method: "post", action: link.pathname });
  }

  return (
    <Page
      title="QR Generation"
      actions={
        <>
          <ButtonLink to={paths.imports}>Imports</ButtonLink>
          <ButtonLink to={paths.generations}>All campaigns</ButtonLink>
        </>
      }
    >
      <LinkTabs label="Kind of campaign" tabs={tabs} onFollow={switchForm} />
      {copy && (
        <div className={notes}>
          <MessageBlock kind={copy.note.kind}>{copy.note.text}</MessageBlock>
        </div>
      )}
      <OfRecord record={copy?.id}>{children}</OfRecord>
    </Page>
  );
}
