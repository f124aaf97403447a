// Without script: a submit button; the server's idempotency key is the guard against a double press.
import type { MouseEvent } from "react";
import { Button, type ButtonProps } from "./button";

/**
 * `isPending` comes from the form's navigation or fetcher. Not `disabled`: that would drop the focus to the page
 * while the request runs.
 */
export function SubmitButton({
  isPending,
  pendingLabel,
  variant = "primary",
  children,
  onClick,
  ...rest
}: ButtonProps & { isPending: boolean; pendingLabel: string }) {
  function guard(event: MouseEvent<HTMLButtonElement>) {
    event.currentTarget.focus({ preventScroll: true });
    if (isPending) event.preventDefault();
    else onClick?.(event);
  }
  return (
    <Button
      {...rest}
      variant={variant}
      onClick={guard}
      // A press would first leave the field, whose new sentence could move the button from under it.
      onMouseDown={(event) => event.preventDefault()}
      aria-disabled={isPending || rest["aria-disabled"] || undefined}
    >
      {isPending ? pendingLabel : children}
    </Button>
  );
}
