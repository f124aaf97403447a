// Without script: nothing but an empty live region; the browser shows that it loads and announces a new document.
import { useLocation, useNavigation, useNavigationType } from "@remix-run/react";
import { useEffect, useState } from "react";
import { visuallyHidden } from "#styles/global.css";
import { focusHeading, focusLinkTo, focusWhenReachable, isDialogOpen } from "../overlay/focus";
import * as css from "./feedback.css";

/** Quick answers show no bar at all. */
const PENDING_DELAY_MS = 400;
const LONG_DELAY_MS = 5_000;

export function PendingBar() {
  const isLoading = useNavigation().state !== "idle";
  const [text, setText] = useState("");

  useEffect(() => {
    if (!isLoading) return;
    const timers = [
      setTimeout(setText, PENDING_DELAY_MS, "Loading..."),
      setTimeout(setText, LONG_DELAY_MS, "Still working"),
    ];
    return () => {
      timers.forEach((timer) => clearTimeout(timer));
      setText("");
    };
  }, [isLoading]);

  return (
    // A modal leaves the top layer of React Aria in reach.
    <div role="status" className={css.pending} data-react-aria-top-layer="">
      {text && (
        <>
          <div className={css.pendingBar} />
          <p className={css.pendingText}>{text}</p>
        </>
      )}
    </div>
  );
}

/** The location shown last, also by the shell of an error page, which is another one. Null until scripts run. */
let shownLocation: ReturnType<typeof useLocation> | null = null;

/**
 * Moves focus after a client navigation: to the element that `location.state.focus` names, into a dialog by the dialog
 * itself, after Back to the link that was followed, else to the heading when the path changed, unless a field of the new
 * screen has it. A change of the search part leaves it where it is. Stands after the <Outlet>, so that a dialog that opens has said so before.
 */
export function RouteAnnouncer() {
  const location = useLocation();
  const isPop = useNavigationType() === "POP";
  const [title, setTitle] = useState("");

  useEffect(() => {
    const from = shownLocation;
    shownLocation = location;
    if (!from || isDialogOpen()) return;
    const target: unknown = location.state?.focus;
    if (typeof target === "string") return focusWhenReachable(target);
    if (from.pathname !== location.pathname) {
      // A field that a screen is opened for has taken the focus by itself.
      if (!(document.activeElement instanceof HTMLInputElement)) {
        if (isPop) focusLinkTo(from.pathname);
        else focusHeading();
      }
      setTitle(document.title);
    } else if (document.activeElement === document.body && from.hash === location.hash) {
      // The control that was pressed is gone: 'Next' on the last page, or a form whose answer is an error page. To a
      // fragment the browser leads.
      focusHeading();
    }
  }, [location, isPop]);

  return (
    <p role="status" className={visuallyHidden}>
      {title}
    </p>
  );
}
