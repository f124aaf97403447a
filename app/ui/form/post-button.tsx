// Without script: a plain form. With it: the page stays, and the button says how it went.
import { Form, useFetcher, useLocation } from "@remix-run/react";
import { useEffect, useId, useRef, type ReactNode } from "react";
import { wholeFormError } from "../../forms/validator";
import { routerState } from "../../remix/router";
import { connectionNotice } from "../connection/connection-notice";
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
  const error = fetcher.data?.fieldErrors?.[wholeFormError];
  useToldWhenGone(error, location);
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
      <FailureNote isPending={isPending}>{error}</FailureNote>
    </Form>
  );
}

/** Shows an error at the top of its page once that has the button no longer, because somebody else was faster. */
function useToldWhenGone(error: string | undefined, location: string): void {
  const last = useRef({ error, location });
  useEffect(() => {
    last.current = { error, location };
  });
  useEffect(
    () => () => {
      const { error, location } = last.current;
      if (error && routerState()?.location.key === location) connectionNotice.tellOutcome(error);
    },
    [],
  );
}
