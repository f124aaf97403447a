// Without script: a block at the top of the page, focused by the browser. After a client navigation: a toast (RULES L5).
import { useEffect, useRef, useState } from "react";
import { visuallyHidden } from "#styles/global.css";
import { Icon } from "../icon/icon";
import { focusHeading, isHydrated } from "../overlay/focus";
import * as css from "./feedback.css";
import { MessageBlock, type MessageKind } from "./message-block";

export type ShownMessage = { id: string; kind: MessageKind; text: string; hideAfterMs: number };

/**
 * Both live regions are in the document before they have anything to say: a region that is mounted together with
 * its words is not announced.
 */
export function Messages({ messages }: { messages: readonly ShownMessage[] }) {
  const [fromDocument] = useState(
    () => new Set(isHydrated() ? [] : messages.map((message) => message.id)),
  );
  const [dismissed, setDismissed] = useState<readonly string[]>([]);
  const shown = messages.filter((message) => !dismissed.includes(message.id));

  const show = (message: ShownMessage) =>
    fromDocument.has(message.id) ? (
      // eslint-disable-next-line jsx-a11y/no-autofocus -- the answer to what was just sent; read out without a script
      <div key={message.id} className={css.block} tabIndex={-1} autoFocus>
        <MessageBlock kind={message.kind}>{message.text}</MessageBlock>
      </div>
    ) : (
      <Toast
        key={message.id}
        message={message}
        hideAfter={message.kind === "error" ? null : message.hideAfterMs}
        onDismiss={() => setDismissed((ids) => [...ids, message.id])}
      />
    );

  return (
    <section aria-label="Messages" id="messages" tabIndex={-1}>
      <div role="status">{shown.filter((message) => message.kind !== "error").map(show)}</div>
      <div role="alert">{shown.filter((message) => message.kind === "error").map(show)}</div>
    </section>
  );
}

function Toast({
  message,
  hideAfter,
  onDismiss,
}: {
  message: ShownMessage;
  /** null: stays until it is dismissed. */
  hideAfter: number | null;
  onDismiss: () => void;
}) {
  const element = useRef<HTMLDivElement>(null);
  const cameFrom = useRef<EventTarget | null>(null);
  const [isHeld, setIsHeld] = useState(false);
  const dismiss = useRef(onDismiss);
  dismiss.current = onDismiss;

  useEffect(() => {
    if (hideAfter === null || isHeld) return;
    const timer = setTimeout(() => dismiss.current(), hideAfter);
    return () => clearTimeout(timer);
  }, [hideAfter, isHeld]);

  // Pointer and focus hold it; it is no control itself, so these are not props of the element.
  useEffect(() => {
    const toast = element.current!;
    const hold = () => setIsHeld(true);
    const release = () => setIsHeld(false);
    const enter = (event: FocusEvent) => {
      if (!toast.contains(event.relatedTarget as Node | null))
        cameFrom.current = event.relatedTarget;
      hold();
    };
    const escape = (event: KeyboardEvent) => event.key === "Escape" && dismissByHand();
    toast.addEventListener("pointerenter", hold);
    toast.addEventListener("pointerleave", release);
    toast.addEventListener("focusin", enter);
    toast.addEventListener("focusout", release);
    toast.addEventListener("keydown", escape);
    // They go with the element.
  }, []);

  function dismissByHand() {
    dismiss.current();
    const back = cameFrom.current;
    if (back instanceof HTMLElement && back.isConnected) back.focus();
    else focusHeading();
  }

  return (
    <div ref={element} className={css.toast}>
      <MessageBlock
        kind={message.kind}
        action={
          <button type="button" className={css.dismiss} onClick={dismissByHand}>
            <Icon name="close" size="small" />
            <span className={visuallyHidden}>Dismiss</span>
          </button>
        }
      >
        {message.text}
      </MessageBlock>
    </div>
  );
}
