// Without script: a block at the top of the page, focused by the browser. After a client navigation: a toast (RULES L5).
import { useFetcher } from "@remix-run/react";
import { useCallback, useEffect, useRef, useState, type FocusEvent } from "react";
import { visuallyHidden } from "#styles/global.css";
import { idempotencyField, wholeFormError } from "../../forms/validator";
import { undoIntent } from "../../lists/list-params";
import type { PostAnswer } from "../form/post-button";
import { Icon } from "../icon/icon";
import { isHydrated, returnFocus } from "../overlay/focus";
import { startVisibleTimer } from "../visible-timer";
import * as css from "./feedback.css";
import { MessageBlock, type MessageKind } from "./message-block";

type ShownMessage = {
  id: string;
  kind: MessageKind;
  text: string;
  hideAfterMs: number;
  /** Address that its button posts to, if what it tells can be undone. */
  undoPath: string | null;
};

/** Messages that were shown long enough, also in the shell of an error page, which is another one. */
let dismissedIds: readonly string[] = [];

/**
 * Both live regions are in the document before they have anything to say: a region that is mounted together with
 * its words is not announced. The status is not atomic: a button that changes would have the whole message read again.
 */
export function Messages({ messages }: { messages: readonly ShownMessage[] }) {
  const [fromDocument] = useState(
    () => new Set(isHydrated() ? [] : messages.map((message) => message.id)),
  );
  const [dismissed, setDismissed] = useState(dismissedIds);
  const dismiss = useCallback((id: string) => {
    dismissedIds = [...dismissedIds, id];
    setDismissed(dismissedIds);
  }, []);
  const shown = messages.filter((message) => !dismissed.includes(message.id));

  const show = (message: ShownMessage) =>
    fromDocument.has(message.id) ? (
      // eslint-disable-next-line jsx-a11y/no-autofocus -- the answer to what was just sent; read out without a script
      <div key={message.id} className={css.block} tabIndex={-1} autoFocus>
        <MessageBlock kind={message.kind} action={<Undo message={message} />}>
          {message.text}
        </MessageBlock>
      </div>
    ) : (
      <Toast key={message.id} message={message} onDismiss={dismiss} />
    );

  return (
    <section aria-label="Messages" id="messages" tabIndex={-1}>
      <div role="status" aria-atomic={false}>
        {shown.filter((message) => message.kind !== "error").map(show)}
      </div>
      <div role="alert">{shown.filter((message) => message.kind === "error").map(show)}</div>
    </section>
  );
}

function Undo({ message: { id, undoPath } }: { message: ShownMessage }) {
  // The page of a code or campaign answers as to its own forms.
  const fetcher = useFetcher<{ error?: string } & PostAnswer>();
  const isPending = fetcher.state !== "idle";
  if (!undoPath) return null;
  return (
    <fetcher.Form method="post" action={undoPath}>
      <input type="hidden" name={idempotencyField} value={`undo-${id}`} />
      <button
        name="intent"
        value={undoIntent}
        className={css.retry}
        aria-disabled={isPending || undefined}
      >
        {isPending ? "Undoing..." : "Undo"}
      </button>
      <span>
        {!isPending && (fetcher.data?.error ?? fetcher.data?.fieldErrors?.[wholeFormError])}
      </span>
    </fetcher.Form>
  );
}

/** Hides by itself once it was visible for a while, unless it is an error or was undone. */
function Toast({
  message,
  onDismiss,
}: {
  message: ShownMessage;
  /** The same at each rendering, for it restarts the timer. */
  onDismiss: (id: string) => void;
}) {
  const { id, kind, text, hideAfterMs } = message;
  const cameFrom = useRef<EventTarget | null>(null);
  const [isHovered, setIsHovered] = useState(false);
  const [isFocused, setIsFocused] = useState(false);
  // Another message follows, or an error beside 'Undo'.
  const [isUndone, setIsUndone] = useState(false);
  const isHeld = kind === "error" || isHovered || isFocused || isUndone;

  useEffect(() => {
    if (isHeld) return;
    return startVisibleTimer(() => onDismiss(id), hideAfterMs);
  }, [id, onDismiss, hideAfterMs, isHeld]);

  function holdForFocus({ currentTarget, relatedTarget }: FocusEvent) {
    if (!currentTarget.contains(relatedTarget)) cameFrom.current = relatedTarget;
    setIsFocused(true);
  }

  function dismissByHand() {
    onDismiss(id);
    returnFocus(cameFrom.current);
  }

  return (
    // eslint-disable-next-line jsx-a11y/no-static-element-interactions -- pointer and focus hold it; it is no control itself
    <div
      className={css.toast}
      onPointerEnter={() => setIsHovered(true)}
      onPointerLeave={() => setIsHovered(false)}
      onFocus={holdForFocus}
      onBlur={() => setIsFocused(false)}
      onSubmit={() => setIsUndone(true)}
      onKeyDown={({ key }) => key === "Escape" && dismissByHand()}
    >
      <MessageBlock
        kind={kind}
        action={
          <>
            <Undo message={message} />
            <button type="button" className={css.dismiss} onClick={dismissByHand}>
              <Icon name="close" size="small" />
              <span className={visuallyHidden}>Dismiss</span>
            </button>
          </>
        }
      >
        {text}
      </MessageBlock>
    </div>
  );
}
