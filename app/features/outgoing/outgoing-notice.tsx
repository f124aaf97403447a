// Without script: a plain form.
import { useLocation } from "@remix-run/react";
import { countOf } from "../../format/number";
import { paths } from "../../paths";
import { MessageBlock } from "../../ui/feedback/message-block";
import { ActionForm } from "../../ui/form/action-form";
import { SubmitButton } from "../../ui/form/button";
import { notes } from "../../ui/layout/layout.css";
import * as css from "./outgoing-notice.css";

/** Numbers of mails, of events that webhooks have not got, and of schedules whose report is due. */
export type WaitingMessages = { mails: number; events: number; reports: number };

/** Tells admins that outgoing messages are paused, and resumes them. */
export function OutgoingNotice({ waiting }: { waiting: WaitingMessages | null }) {
  const { pathname } = useLocation();
  if (!waiting) return null;
  return (
    <section className={notes} aria-label="Outgoing messages">
      <MessageBlock kind="warning">
        <div className={css.content}>
          <p>
            Outgoing messages are paused, because this database was restored from a backup.{" "}
            {`Waiting: ${countOf(waiting.mails, "mail")}, ${countOf(waiting.events, "webhook event")}, ${countOf(waiting.reports, "scheduled report")}.`}{" "}
            Check webhooks, reports by mail and mail before you resume: if this is a copy, their
            receivers are those of the original.
          </p>
          <ActionForm action={paths.outgoingResumption}>
            {(isPending) => (
              <>
                <input type="hidden" name="returnTo" value={pathname} />
                <SubmitButton
                  variant="default"
                  size="small"
                  isPending={isPending}
                  pendingLabel="Resuming..."
                >
                  Resume outgoing messages
                </SubmitButton>
              </>
            )}
          </ActionForm>
        </div>
      </MessageBlock>
    </section>
  );
}
