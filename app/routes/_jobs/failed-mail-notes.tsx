// Without script: the same; each button is a form of its own.
import type { FailedMail } from "../../features/mail/failed-mails.server";
import { MessageBlock } from "../../ui/feedback/message-block";
import { RunJob } from "./run-job";

/** Says which mails failed and why, each with a button that sends it again. */
export function FailedMailNotes({ mails }: { mails: readonly FailedMail[] }) {
  return mails.map(({ id, jobId, text, canRetry }) => (
    <MessageBlock key={id} kind="warning">
      {text}
      {canRetry ? (
        <RunJob jobId={jobId} pendingLabel="Sending...">
          Send again
        </RunJob>
      ) : (
        " Its link has expired: send a new one."
      )}
    </MessageBlock>
  ));
}
