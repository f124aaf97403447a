// Without script: the same.
import { useLocation } from "@remix-run/react";
import { dialogSearch } from "../../lists/list-params";
import { paths } from "../../paths";
import { MessageBlock } from "../../ui/feedback/message-block";
import { ButtonLink } from "../../ui/form/button";
import { notes } from "../../ui/layout/layout.css";
import * as css from "./platform-notes.css";
import type { PlatformView } from "./platform-state.server";

/** Focus returns here from the dialog that it leads to. */
export const confirmationLinkId = "look-at-missing-machines";

/** Notes on problems of the vending platform that affect the machines shown. */
export function PlatformNotes({ state, canConfirm }: { state: PlatformView; canConfirm: boolean }) {
  const { search } = useLocation();
  const { failure, badItems, held } = state;
  if (!failure && !badItems && !held) return null;
  return (
    <section className={notes} aria-label="SmartVend">
      {failure && <MessageBlock kind="warning">{failure}</MessageBlock>}
      {held && (
        <MessageBlock kind="warning">
          <div className={css.held}>
            <p className={css.heldText}>
              {held}
              {!canConfirm && " An admin has to confirm this."}
            </p>
            {canConfirm && (
              <ButtonLink
                id={confirmationLinkId}
                to={paths.machinesConfirmation + dialogSearch(new URLSearchParams(search))}
                preventScrollReset
                size="small"
              >
                Review missing machines
              </ButtonLink>
            )}
          </div>
        </MessageBlock>
      )}
      {badItems && (
        <MessageBlock kind="warning">
          {badItems.message}
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
