// Without script: nothing reads itself again.
import { useFetchers, useNavigation, useRevalidator } from "@remix-run/react";
import { useEffect, useRef } from "react";
import { hasUnsavedInput } from "../form/unsaved-input";
import { isDialogOpen } from "../overlay/focus";

/** Interval of the refreshes. */
const EVERY_MS = 2 * 60_000;

/** Time after an input event during which the page counts as in use: longer where focus or pointer is at the rows. */
const AT_THE_ROWS_MS = 60_000;
const ELSEWHERE_MS = 5_000;

/** Delay of the next attempt after a refresh that was put off. */
const RETRY_MS = 5_000;

/**
 * Loads the screen's data again every two minutes, and when its tab is shown again after longer.
 * Waits while a dialog is open, while a form is filled in and not sent, and while somebody types or points at the rows,
 * because rows may move. The focus stays where it is.
 * @param isOff paused, or a dialog is shown over the rows
 * @param data the data loaded last; the interval starts when it arrives
 */
export function useAutoRefresh({ isOff, data }: { isOff: boolean; data: unknown }): void {
  const { revalidate, state } = useRevalidator();
  // A pending form is not overtaken: the page it leads to would be lost.
  const isSending = useFetchers().some((fetcher) => fetcher.state !== "idle");
  const isIdle = useNavigation().state === "idle" && state === "idle" && !isSending;
  const readAt = useRef(0);
  const lastInput = useRef(0);
  const focused = useRef<Element | null>(null);

  useEffect(() => {
    readAt.current = Date.now();
    // React moves rows about, and an element that is moved loses the focus. Another control that got it keeps it.
    const before = focused.current;
    focused.current = null;
    if (!(before instanceof HTMLElement) || document.activeElement !== document.body) return;
    if (before.isConnected) before.focus({ preventScroll: true });
    else document.getElementById("table")?.focus({ preventScroll: true });
  }, [data]);

  useEffect(() => {
    const recordInput = () => (lastInput.current = Date.now());
    const inputEvents = ["pointermove", "pointerdown", "keydown", "wheel", "input"] as const;
    for (const type of inputEvents)
      addEventListener(type, recordInput, { passive: true, capture: true });
    return () => {
      for (const type of inputEvents) removeEventListener(type, recordInput, { capture: true });
    };
  }, []);

  useEffect(() => {
    if (isOff || !isIdle) return;
    let timer: ReturnType<typeof setTimeout> | undefined;

    function refreshOrWait() {
      clearTimeout(timer);
      // A hidden tab loads nothing; visibilitychange resumes.
      if (document.hidden) return;
      const wait = readAt.current + EVERY_MS - Date.now();
      if (wait > 0) timer = setTimeout(refreshOrWait, wait);
      else if (isBusy(Date.now() - lastInput.current)) timer = setTimeout(refreshOrWait, RETRY_MS);
      else {
        const active = document.activeElement;
        focused.current = active === document.body ? null : active;
        // Also delays the next attempt if no answer comes.
        readAt.current = Date.now();
        revalidate();
      }
    }

    refreshOrWait();
    document.addEventListener("visibilitychange", refreshOrWait);
    return () => {
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", refreshOrWait);
    };
  }, [isOff, isIdle, revalidate]);
}

function isBusy(msSinceInput: number): boolean {
  // If the session has ended, the sign-in page would take the place of the form.
  if (isDialogOpen() || hasUnsavedInput("main form[method=post]")) return true;
  const isAtRows = document.querySelector("tbody:hover, tbody:focus-within") !== null;
  return msSinceInput < (isAtRows ? AT_THE_ROWS_MS : ELSEWHERE_MS);
}
