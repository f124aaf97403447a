// Without script: a block of words in the page.
import type { ReactNode } from "react";
import { Icon, type IconName } from "../icon/icon";
import * as css from "./feedback.css";

export type MessageKind = keyof typeof css.message;

const icons: Record<MessageKind, IconName> = {
  success: "check",
  info: "info",
  warning: "alert",
  error: "alert",
};

/** For what a screen itself has to say; what a redirect says goes through Messages. */
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
