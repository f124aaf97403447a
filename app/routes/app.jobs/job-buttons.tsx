// Without script: the same; each button is a form of its own.
import { useLocation } from "@remix-run/react";
import type { JobView } from "../../features/jobs/job";
import { idempotencyField } from "../../forms/validator";
import { paths } from "../../paths";
import { ActionForm } from "../../ui/form/action-form";
import { SubmitButton } from "../../ui/form/button";
import { visuallyHidden } from "#styles/global.css";

export function RunNow({
  job: { id, kind, subject },
}: {
  job: Pick<JobView, "id" | "kind" | "subject">;
}) {
  const { pathname, search } = useLocation();
  return (
    <ActionForm action={paths.jobRun(id)}>
      {(isPending) => (
        <>
          <input type="hidden" name="returnTo" value={pathname + search} />
          <SubmitButton
            variant="default"
            size="small"
            isPending={isPending}
            pendingLabel="Starting..."
          >
            Run now
            <span className={visuallyHidden}>: {[kind, subject].filter(Boolean).join(", ")}</span>
          </SubmitButton>
        </>
      )}
    </ActionForm>
  );
}

export function SendTest({ idempotencyKey }: { idempotencyKey: string }) {
  return (
    <ActionForm action={paths.testMail}>
      {(isPending) => (
        <>
          <input type="hidden" name={idempotencyField} value={idempotencyKey} />
          <SubmitButton variant="default" isPending={isPending} pendingLabel="Sending...">
            Send test mail
          </SubmitButton>
        </>
      )}
    </ActionForm>
  );
}
