// Without script: an empty live region; the browser itself announces a new document.
import { useLocation } from "@remix-run/react";
import { useEffect, useRef, useState } from "react";
import { visuallyHidden } from "#styles/global.css";
import { focusHeading, focusWhenReachable, isDialogOpen } from "../overlay/focus";

/**
 * Moves focus after a client navigation: to the element that `location.state.focus` names, into a dialog by the dialog
 * itself, else to the heading when the path changed, unless a field of the new screen has it. A change of the search part leaves it where it is.
 * Stands after the <Outlet>, so that a dialog that opens has said so before.
 */
export function RouteAnnouncer() {
  const location = useLocation();
  const before = useRef(location);
  const [title, setTitle] = useState("");

  useEffect(() => {
    const from = before.current;
    if (from === location) return;
    before.current = location;

    if (isDialogOpen()) return;
    const target: unknown = location.state?.focus;
    if (typeof target === "string") return focusWhenReachable(target);
    if (from.pathname !== location.pathname) {
      // A field that a screen is opened for has taken the focus by itself.
      if (!(document.activeElement instanceof HTMLInputElement)) focusHeading();
      setTitle(document.title);
    } else if (document.activeElement === document.body) {
      // The control that was pressed is gone: 'Next' on the last page.
      focusHeading();
    }
  }, [location]);

  return (
    <p role="status" className={visuallyHidden}>
      {title}
    </p>
  );
}
