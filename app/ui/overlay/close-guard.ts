import { useFetchers, useLocation, useNavigation } from "@remix-run/react";
import type { MouseEvent } from "react";

/** Whether a form is being sent. Its dialog stays until the answer or the time limit: closing would not undo it. */
export function useIsSending(): boolean {
  const { pathname } = useLocation();
  const isOfDialog = ({ state, formAction }: { state: string; formAction?: string | undefined }) =>
    state === "submitting" && formAction?.split("?")[0] === pathname;
  return [useNavigation().formMethod === "POST", ...useFetchers().map(isOfDialog)].some(Boolean);
}

/** Props of a link that closes a dialog. */
export function useCloseGuard() {
  const isSending = useIsSending();
  return {
    "aria-disabled": isSending || undefined,
    onClick: (event: MouseEvent) => isSending && event.preventDefault(),
  };
}
