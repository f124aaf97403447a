// Without script: a form of its own, whose answer leads back to this page.
import { useLocation } from "@remix-run/react";
import type { ReactNode } from "react";
import { paths } from "../../paths";
import { ActionForm } from "../../ui/form/action-form";
import { SubmitButton } from "../../ui/form/button";
import { useListUrl } from "../../ui/table/list-url";

export function RunJob({
  jobId,
  pendingLabel,
  children,
}: {
  jobId: string;
  pendingLabel: string;
  children: ReactNode;
}) {
  const { pathname } = useLocation();
  const { search } = useListUrl();
  return (
    <ActionForm action={paths.jobRun(jobId)}>
      {(isPending) => (
        <>
          <input type="hidden" name="returnTo" value={pathname + search} />
          <SubmitButton
            variant="default"
            size="small"
            isPending={isPending}
            pendingLabel={pendingLabel}
          >
            {children}
          </SubmitButton>
        </>
      )}
    </ActionForm>
  );
}
