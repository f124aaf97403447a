// Without script: a block of words in the page.
import { useEffect, useRef, useState, type MouseEventHandler, type ReactNode } from "react";
import { noAnswerMessage } from "../../forms/network-errors";
import { submitAgain } from "../connection/stay-on-page";
import { Icon, type IconName } from "../icon/icon";
import { isHydrated } from "../overlay/focus";
import * as css from "./feedback.css";

export type MessageKind = keyof typeof css.message;

const icons: Record<MessageKind, IconName> = {
  success: "check",
  info: "info",
  warning: "alert",
  error: "alert",
};

/** A message of the screen itself; `Messages` shows those of redirects. */
export function MessageBlock({
  kind,
  children,
  action,
}: {
  kind: MessageKind;
  children: ReactNode;
  /** At its end: a dismiss button, a link. */
  action?: ReactNode;
}) {
  return (
    <div className={css.message[kind]}>
      <Icon name={icons[kind]} />
      <div className={css.messageText}>{children}</div>
      {action}
    </div>
  );
}

/** Says that a form got no answer, and sends it again: the same button of the same form. */
export function NoAnswer() {
  const note = useRef<HTMLDivElement>(null);
  // Enter in a field sends a form whose end, where this stands, may be below the window.
  useEffect(() => {
    note.current?.scrollIntoView({ block: "nearest" });
  }, []);
  return (
    <div ref={note}>
      <MessageBlock kind="error" action={<TryAgain onPress={submitAgain} />}>
        {noAnswerMessage}
      </MessageBlock>
    </div>
  );
}

export function TryAgain({ onPress }: { onPress: MouseEventHandler }) {
  return (
    <button type="button" className={css.retry} onClick={onPress}>
      Try again
    </button>
  );
}

/** Begins the document's title with 'Error:' while an error is shown, as the server does. */
export function useErrorTitle(isShown: boolean): void {
  useEffect(() => {
    if (!isShown) return;
    const plain = () => document.title.replace(/^Error: /, "");
    document.title = `Error: ${plain()}`;
    return () => {
      document.title = plain();
    };
  }, [isShown]);
}

/** Tells by the title that an answer refuses a field, and focuses the field, so that its error is read out. */
export function useRefusedField(id: string, answer: unknown, isRefused: boolean): void {
  useErrorTitle(isRefused);
  useEffect(() => {
    if (isRefused) document.getElementById(id)?.focus();
  }, [id, answer, isRefused]);
}

/**
 * Says why an action failed. The region is there before it has a message, so that the message is
 * announced, and is empty while the next attempt runs.
 */
export function FailureNote({ isPending, children }: { isPending: boolean; children: ReactNode }) {
  const [isFromDocument] = useState(() => !isHydrated());
  const isShown = Boolean(children) && !isPending;
  useErrorTitle(isShown);
  return (
    <div
      role="alert"
      tabIndex={-1}
      // eslint-disable-next-line jsx-a11y/no-autofocus -- the answer to what was just sent, where no script runs
      autoFocus={isShown && isFromDocument}
    >
      {isShown &&
        (children === noAnswerMessage ? (
          <NoAnswer />
        ) : (
          <MessageBlock kind="error">{children}</MessageBlock>
        ))}
    </div>
  );
}
