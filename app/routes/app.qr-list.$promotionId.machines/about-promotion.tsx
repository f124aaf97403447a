// Without script: words; a list that can't be read is an error page there.
import type { ReactNode } from "react";
import { MessageBlock } from "../../ui/feedback/message-block";
import { Button } from "../../ui/form/button";
import { muted } from "#styles/global.css";
import * as styles from "../../features/promotions/manage-machines/machines-dialog.css";
import type { OpenedMachines } from "./use-managed-machines";

export function About({ name, code, isDeleted, isShared }: OpenedMachines & { isShared: boolean }) {
  return (
    <div className={styles.about}>
      <p>
        <strong>{name}</strong> <code>{code}</code>
      </p>
      {isDeleted && <p>This promotion is deleted. Its machines can't be changed.</p>}
      {isShared && !isDeleted && (
        <p className={muted}>
          This code shares the machines of its mass generation. A change here gives it machines of
          its own; the other codes keep theirs.
        </p>
      )}
    </div>
  );
}

export function LoadFailure({ onRetry, children }: { onRetry: () => void; children: ReactNode }) {
  return (
    <div role="alert">
      <MessageBlock
        kind="error"
        action={
          <Button type="button" size="small" onClick={onRetry}>
            Try Again
          </Button>
        }
      >
        {children}
      </MessageBlock>
    </div>
  );
}
