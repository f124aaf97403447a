import { useFetchers, useLocation, useNavigation } from "@remix-run/react";
import type { MouseEvent } from "react";
import { goBackTo } from "../../remix/page-history";
import { routerState } from "../../remix/router";
import { isPlainClick } from "../plain-click";

type Sending = { state: string; formMethod?: string | undefined; formAction?: string | undefined };

/** Tells whether a form is being sent. Its dialog stays until the answer or the time limit: closing would not undo it. */
export function useIsSending(): boolean {
  return isSending(useLocation().pathname, useNavigation(), useFetchers());
}

/** Asks the router itself, because React may render what was sent a moment later. */
export function isSendingFrom(pathname: string): boolean {
  const { navigation, fetchers } = routerState()!;
  return isSending(pathname, navigation, [...fetchers.values()]);
}

function isSending(pathname: string, navigation: Sending, fetchers: Sending[]): boolean {
  const isOfDialog = ({ state, formAction }: Sending) =>
    state === "submitting" && formAction?.split("?")[0] === pathname;
  return navigation.formMethod === "POST" || fetchers.some(isOfDialog);
}

/**
 * Props of a link that closes a dialog. Where the page behind is the entry before in the history, it
 * goes back to it: in the dialog's place, the page would take two presses of Back.
 */
export function useCloseGuard(closeTo: string) {
  const { pathname } = useLocation();
  return {
    "aria-disabled": useIsSending() || undefined,
    onClick(event: MouseEvent) {
      if (isSendingFrom(pathname) || (isPlainClick(event) && goBackTo(closeTo)))
        event.preventDefault();
    },
  };
}
