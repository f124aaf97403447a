// Without script: a plain form. With it: the page stays, and the button says how it went.
import { useActionData, useFetcher } from "@remix-run/react";
import { wholeFormError } from "../../../forms/validator";
import { FailureNote } from "../../../ui/feedback/message-block";
import { SubmitButton } from "../../../ui/form/button";
import { IdempotencyKey } from "../../../ui/form/form";
import { menuItem } from "../../../ui/overlay/overlay.css";

type Answer = { formId?: string; fieldErrors?: Record<string, string> };

const pendingLabels = { deactivate: "Deactivating...", reactivate: "Reactivating..." };

/** Posts an action on what the page is about to the page's own address. */
export function LifecycleButton({
  intent,
  idempotencyKey,
  isMenuItem = false,
  children,
}: {
  intent: keyof typeof pendingLabels;
  idempotencyKey: string;
  isMenuItem?: boolean;
  children: string;
}) {
  const fetcher = useFetcher<Answer>();
  const isPending = fetcher.state !== "idle";
  const button = { name: "intent", value: intent };
  return (
    <fetcher.Form method="post" preventScrollReset>
      <IdempotencyKey value={idempotencyKey} />
      {isMenuItem ? (
        <button type="submit" {...button} className={menuItem}>
          {isPending ? pendingLabels[intent] : children}
        </button>
      ) : (
        <SubmitButton
          {...button}
          variant="default"
          isPending={isPending}
          pendingLabel={pendingLabels[intent]}
        >
          {children}
        </SubmitButton>
      )}
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
