// Without script: a block in the page that answers a refused post, focused by the browser.
import { useState, type ReactNode } from "react";
import { MessageBlock } from "../feedback/message-block";
import { isHydrated } from "./hydration";

/**
 * Why what a dialog was asked to do was not done. It stands in the dialog before it has anything to
 * say, and falls silent while the next attempt runs.
 */
export function FailureNote({ isPending, children }: { isPending: boolean; children: ReactNode }) {
  const [isFromDocument] = useState(() => !isHydrated());
  const isShown = Boolean(children) && !isPending;
  return (
    <div
      role="alert"
      tabIndex={-1}
      // eslint-disable-next-line jsx-a11y/no-autofocus -- the answer to what was just sent, where no script runs
      autoFocus={isShown && isFromDocument}
    >
      {isShown && <MessageBlock kind="error">{children}</MessageBlock>}
    </div>
  );
}
