// Without script: the same.
import type { ReactNode } from "react";
import { muted } from "#styles/global.css";
import { MessageBlock } from "../feedback/message-block";
import { Icon, type IconName } from "../icon/icon";
import { notes } from "../layout/layout.css";
import * as css from "./list-notes.css";

/** Says above a list which values in the URL are not valid, and shows `children`. */
export function ListNotes({
  list: { messages, isFallback = false },
  children,
}: {
  list: { messages: readonly string[]; isFallback?: boolean };
  children?: ReactNode;
}) {
  const warnings = [
    ...messages,
    ...(isFallback ? ["That page has no rows, so the nearest one is shown"] : []),
  ];
  if (warnings.length === 0 && !children) return null;
  return (
    <div className={notes}>
      {warnings.length > 0 && (
        <MessageBlock kind="warning">
          {warnings.map((warning) => (
            <p key={warning}>{warning}.</p>
          ))}
        </MessageBlock>
      )}
      {children}
    </div>
  );
}

type EmptyStateProps = { icon: IconName; title: string; reason?: string; action?: ReactNode };

/** Stands in the place of rows: a title, the reason, one button. */
export function EmptyState({ icon, title, reason, action }: EmptyStateProps) {
  return (
    <div className={css.empty}>
      <span className={css.emptyIcon}>
        <Icon name={icon} />
      </span>
      <h2>{title}</h2>
      {reason && <p className={muted}>{reason}</p>}
      {action}
    </div>
  );
}
