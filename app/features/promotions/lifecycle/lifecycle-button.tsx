// Without script: a plain form. With it: the page stays, and the button says how it went.
import { useActionData, useFetcher } from "@remix-run/react";
import type { ReactNode } from "react";
import { wholeFormError } from "../../../forms/validator";
import { FailureNote } from "../../../ui/feedback/message-block";
import { SubmitButton } from "../../../ui/form/button";
import { IdempotencyKey } from "../../../ui/form/form";

type Answer = { formId?: string; fieldErrors?: Record<string, string> };

const pendingLabels = { deactivate: "Deactivating...", reactivate: "Reactivating..." };

/** Posts an action on what the page is about to the page's own address. */
export function LifecycleButton({
  intent,
  idempotencyKey,
  className,
  children,
}: {
  intent: keyof typeof pendingLabels;
  idempotencyKey: string;
  className?: string;
  children: ReactNode;
}) {
  const fetcher = useFetcher<Answer>();
  const isPending = fetcher.state !== "idle";
  return (
    <fetcher.Form method="post" preventScrollReset>
      <IdempotencyKey value={idempotencyKey} />
      <SubmitButton
        name="intent"
        value={intent}
        variant="default"
        isPending={isPending}
        pendingLabel={pendingLabels[intent]}
        {...(className && { className })}
      >
        {children}
      </SubmitButton>
      <FailureNote isPending={isPending}>{fetcher.data?.fieldErrors?.[wholeFormError]}</FailureNote>
    </fetcher.Form>
  );
}

/** Says why a button's action was refused, where no script runs. */
export function RefusedAction() {
  const answer = useActionData<Answer>();
  const message = answer?.formId === undefined && answer?.fieldErrors?.[wholeFormError];
  return message ? <FailureNote isPending={false}>{message}</FailureNote> : null;
}
