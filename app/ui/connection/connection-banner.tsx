// Without script: nothing; the browser says itself that it has no connection.
import { useLocation } from "@remix-run/react";
import { useEffect, useSyncExternalStore } from "react";
import { MessageBlock } from "../feedback/message-block";
import * as css from "../feedback/feedback.css";
import { connectionNotice } from "./connection-notice";
import { notePageShown } from "./page-history";

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
  return (
    <div role="alert" className={css.banner}>
      {notice && <MessageBlock kind="warning">{notice}</MessageBlock>}
    </div>
  );
}
