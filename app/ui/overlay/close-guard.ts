import { useFetchers, useLocation, useNavigation } from "@remix-run/react";
import type { MouseEvent } from "react";
import { goBackTo } from "../connection/page-history";
import { isPlainClick } from "../plain-click";

/** Whether a form is being sent. Its dialog stays until the answer or the time limit: closing would not undo it. */
export function useIsSending(): boolean {
  const { pathname } = useLocation();
  const isOfDialog = ({ state, formAction }: { state: string; formAction?: string | undefined }) =>
    state === "submitting" && formAction?.split("?")[0] === pathname;
  return [useNavigation().formMethod === "POST", ...useFetchers().map(isOfDialog)].some(Boolean);
}

/**
 * Props of a link that closes a dialog. Where the page behind is the entry before in the history, it
 * goes back to it: in the dialog's place, the page would take two presses of Back.
 */
export function useCloseGuard(closeTo: string) {
  const isSending = useIsSending();
  return {
    "aria-disabled": isSending || undefined,
    onClick(event: MouseEvent) {
      if (isSending || (isPlainClick(event) && goBackTo(closeTo))) event.preventDefault();
    },
  };
}
