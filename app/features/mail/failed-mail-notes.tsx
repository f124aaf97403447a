// Without script: the same; each button is a form of its own.
import { useLocation } from "@remix-run/react";
import { paths } from "../../paths";
import { MessageBlock } from "../../ui/feedback/message-block";
import { ActionForm } from "../../ui/form/action-form";
import { SubmitButton } from "../../ui/form/button";
import type { FailedMail } from "./failed-mails.server";

/** Says which mails failed and why, each with a button that sends it again. */
export function FailedMailNotes({ mails }: { mails: readonly FailedMail[] }) {
  const { pathname, search } = useLocation();
  return mails.map(({ id, jobId, text, canRetry }) => (
    <MessageBlock key={id} kind="warning">
      {text}
      {canRetry ? (
        <ActionForm action={paths.jobRun(jobId)}>
          {(isPending) => (
            <>
              <input type="hidden" name="returnTo" value={pathname + search} />
              <SubmitButton
                variant="default"
                size="small"
                isPending={isPending}
                pendingLabel="Sending..."
              >
                Send again
              </SubmitButton>
            </>
          )}
        </ActionForm>
      ) : (
        " Its link has expired: send a new one."
      )}
    </MessageBlock>
  ));
}
