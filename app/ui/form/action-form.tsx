// Without script: a plain form. With it: the page stays, and says why when the action fails.
import { Form, useFetcher, useLoaderData, useLocation } from "@remix-run/react";
import type { ReactNode } from "react";
import { idempotencyField } from "../../forms/validator";
import { FailureNote } from "../feedback/message-block";
import { SubmitButton } from "./button";

/**
 * A form of buttons for an address that has no page of its own, where a navigation without an answer would leave
 * nothing to see.
 */
export function ActionForm({
  action,
  className,
  children,
}: {
  action: string;
  className?: string;
  /** Contents, by whether the form is being sent, and by the intent that was pressed. */
  children: (isPending: boolean, intent: unknown) => ReactNode;
}) {
  // Success leads to a new location; the fetcher of the old one keeps its error.
  const key = `${action} ${useLocation().key}`;
  const fetcher = useFetcher<{ error?: string }>({ key });
  const isPending = fetcher.state !== "idle";
  // Another key once the page was read again, which it is after an answer only.
  const page = useLoaderData<{ idempotencyKey?: string } | undefined>();
  return (
    // A `fetcher.Form` would be mounted anew with the location, and lose the focus.
    <Form
      method="post"
      action={action}
      navigate={false}
      fetcherKey={key}
      preventScrollReset
      // A second press would drop the answer to the first one, with its undo.
      onSubmit={(event) => isPending && event.preventDefault()}
      className={className}
    >
      {page?.idempotencyKey && (
        <input type="hidden" name={idempotencyField} value={`${page.idempotencyKey}-${action}`} />
      )}
      {children(isPending, fetcher.formData?.get("intent"))}
      <FailureNote isPending={isPending}>{fetcher.data?.error}</FailureNote>
    </Form>
  );
}

export type IntentButton = [intent: string, label: string, pendingLabel: string];

/** Buttons of an `ActionForm` that post an intent each. */
export function IntentButtons({
  buttons,
  pressed,
  variant,
  children,
}: {
  buttons: IntentButton[];
  /** The intent that is being sent. */
  pressed: unknown;
  variant: "default" | "quiet";
  /** Tells the buttons of a list apart; hidden. */
  children: ReactNode;
}) {
  return buttons.map(([intent, label, pendingLabel]) => (
    <SubmitButton
      key={intent}
      name="intent"
      value={intent}
      variant={variant}
      size="small"
      isPending={intent === pressed}
      pendingLabel={pendingLabel}
    >
      {label}
      {children}
    </SubmitButton>
  ));
}
