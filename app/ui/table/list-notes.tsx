// Without script: the same.
import type { ReactNode } from "react";
import { MessageBlock } from "../feedback/message-block";
import { notes } from "../layout/layout.css";

/** Says above a list that its rows are old, that values in the URL are not valid, and `children`. */
export function ListNotes({
  list: { messages, isFallback = false, staleReason = null },
  children,
}: {
  list: { messages: readonly string[]; isFallback?: boolean; staleReason?: string | null };
  children?: ReactNode;
}) {
  const warnings = [
    ...messages,
    ...(isFallback ? ["That page has no rows: this is the nearest one"] : []),
  ];
  if (!staleReason && warnings.length === 0 && !children) return null;
  return (
    <div className={notes}>
      {staleReason && <MessageBlock kind="error">{staleReason}</MessageBlock>}
      {warnings.length > 0 && (
        <MessageBlock kind="warning">{`${warnings.join(". ")}.`}</MessageBlock>
      )}
      {children}
    </div>
  );
}
