import { useSearchParams } from "@remix-run/react";
import { flashParam } from "../../lists/list-params";
import { useLastDefined } from "./last-defined";

/**
 * Returns the id of the last message that led back to this page. As the key of a form, or of its `IdempotencyKey`, it
 * makes the next attempt another one once something was done.
 */
export function useLastMessage(): string {
  return useLastDefined(useSearchParams()[0].get(flashParam) ?? undefined) ?? "";
}
