import { useSearchParams } from "@remix-run/react";
import { useRef } from "react";
import { flashParam } from "../../lists/list-params";

/**
 * Returns the id of the last message that led back to this page. As the key of a form, or of its `IdempotencyKey`, it
 * makes the next attempt another one once something was done.
 */
export function useLastMessage(): string {
  const message = useSearchParams()[0].get(flashParam);
  const last = useRef(message);
  if (message !== null) last.current = message;
  return last.current ?? "";
}
