// Without script: the same.
import { useLocation } from "@remix-run/react";
import { MessageBlock } from "../../ui/feedback/message-block";
import { ButtonLink } from "../../ui/form/button";
import { notes } from "../../ui/layout/layout.css";
import { confirmationAddress } from "./machines-address";
import * as css from "./platform-notes.css";
import type { PlatformWords } from "./platform-words";

/** Focus returns here from the dialog that it leads to. */
export const confirmationLinkId = "look-at-missing-machines";

/** What the vending platform has to do with the machines that are shown, where all is not well. */
export function PlatformNotes({
  state,
  canConfirm,
}: {
  state: PlatformWords;
  /** An admin reads it. */
  canConfirm: boolean;
}) {
  const { search } = useLocation();
  const { failure, badItems, held } = state;
  if (!failure && !badItems && !held) return null;
  return (
    <section className={notes} aria-label="SmartVend">
      {failure && <MessageBlock kind="warning">{failure}</MessageBlock>}
      {held && (
        <MessageBlock
          kind="warning"
          action={
            canConfirm && (
              <ButtonLink
                id={confirmationLinkId}
                to={confirmationAddress(search)}
                preventScrollReset
                size="small"
              >
                Look at the missing machines
              </ButtonLink>
            )
          }
        >
          {held}
          {!canConfirm && " An admin has to confirm this."}
        </MessageBlock>
      )}
      {badItems && (
        <MessageBlock kind="warning">
          {badItems.sentence}
          <ul className={css.items}>
            {badItems.examples.map((example, index) => (
              <li key={index}>{example}</li>
            ))}
            {badItems.more && <li>{badItems.more}</li>}
          </ul>
        </MessageBlock>
      )}
    </section>
  );
}
