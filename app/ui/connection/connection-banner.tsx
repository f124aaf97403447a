// Without script: nothing; the browser says itself that it has no connection.
import { useLocation } from "@remix-run/react";
import { useEffect, useSyncExternalStore, type MouseEvent } from "react";
import { MessageBlock, TryAgain } from "../feedback/message-block";
import * as css from "../feedback/feedback.css";
import { notePageShown } from "../../remix/page-history";
import { navigateAgain } from "../../remix/router";
import { returnFocus } from "../overlay/focus";
import { connectionNotice, noConnection } from "./connection-notice";
import { probeUntilAnswered } from "./probe";
import { submitAgain } from "./stay-on-page";

function tryAgain(event: MouseEvent): void {
  const { retry } = connectionNotice;
  // It is announced again if this fails, too.
  connectionNotice.set(null);
  if (retry) retry();
  else if (!navigateAgain()) submitAgain(event);
}

/** Says that a navigation got no answer, until the next request gets one. */
export function ConnectionBanner() {
  const notice = useSyncExternalStore(
    connectionNotice.subscribe,
    connectionNotice.read,
    () => null,
  );
  const location = useLocation();
  useEffect(() => {
    notePageShown();
    connectionNotice.clearOutcome();
  }, [location]);
  const isLost = notice === noConnection;
  useEffect(() => {
    if (!isLost) return;
    const pressed = document.activeElement;
    // Keeps the pressed control in the window although the banner moves the page down.
    pressed?.scrollIntoView({ block: "nearest" });
    const endProbing = probeUntilAnswered();
    // Called before React removes the button.
    const unsubscribe = connectionNotice.subscribe(() => {
      if (document.activeElement?.closest(`.${css.banner}`)) returnFocus(pressed);
    });
    return () => {
      endProbing();
      unsubscribe();
    };
  }, [isLost]);
  return (
    // A modal leaves the top layer of React Aria in reach.
    <div role="alert" className={css.banner} data-react-aria-top-layer="">
      {notice && (
        <MessageBlock kind="warning" action={isLost && <TryAgain onPress={tryAgain} />}>
          {notice}
        </MessageBlock>
      )}
    </div>
  );
}
