import { useNavigation } from "@remix-run/react";
import type { MouseEvent } from "react";

/** Whether a form is being sent. Its dialog stays until the answer or the time limit: closing would not undo it. */
export function useIsSending(): boolean {
  return useNavigation().formMethod === "POST";
}

/** Props of a link that closes a dialog. */
export function useCloseGuard() {
  const isSending = useIsSending();
  return {
    "aria-disabled": isSending || undefined,
    onClick: (event: MouseEvent) => isSending && event.preventDefault(),
  };
}
