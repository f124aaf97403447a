// Without script: a plain form. With it: the page stays, and the button says how it went.
import { Form, useFetcher, useLocation } from "@remix-run/react";
import { useId, type ReactNode } from "react";
import { wholeFormError } from "../../forms/validator";
import { FailureNote } from "../feedback/message-block";
import { menuItem } from "../overlay/overlay.css";
import { SubmitButton } from "./button";
import { IdempotencyKey } from "./idempotency-key";

export type PostAnswer = {
  formId?: string;
  fieldErrors?: Record<string, string>;
  idempotencyKey?: string;
};

/** A button that is a form of its own: it posts what it does to the page's own address, or to another one. */
export function PostButton({
  intent,
  action,
  fields = {},
  keySuffix = "",
  pendingLabel,
  isMenuItem = false,
  variant = "default",
  size = "medium",
  children,
}: {
  /** One of the `forms` of the page's action. */
  intent: string;
  action?: string;
  fields?: Record<string, string>;
  /** Distinguishes it from other buttons of the page that do the same. */
  keySuffix?: string;
  pendingLabel: string;
  isMenuItem?: boolean;
  variant?: "default" | "primary";
  size?: "small" | "medium";
  children: ReactNode;
}) {
  // Success leads to a new location; the fetcher of the old one keeps its error.
  const location = useLocation().key;
  const key = `${useId()} ${location}`;
  const fetcher = useFetcher<PostAnswer>({ key });
  const isPending = fetcher.state !== "idle";
  const button = { name: "intent", value: intent };
  return (
    // A `fetcher.Form` would be mounted anew with the location, and lose the focus.
    <Form method="post" action={action} navigate={false} fetcherKey={key} preventScrollReset>
      <IdempotencyKey key={location} suffix={intent + keySuffix} answer={fetcher.data} />
      {Object.entries(fields).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {isMenuItem ? (
        <button type="submit" {...button} className={menuItem}>
          {isPending ? pendingLabel : children}
        </button>
      ) : (
        <SubmitButton
          {...button}
          variant={variant}
          size={size}
          isPending={isPending}
          pendingLabel={pendingLabel}
        >
          {children}
        </SubmitButton>
      )}
      <FailureNote isPending={isPending}>{fetcher.data?.fieldErrors?.[wholeFormError]}</FailureNote>
    </Form>
  );
}
