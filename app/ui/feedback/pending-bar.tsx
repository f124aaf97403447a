// Without script: nothing; the browser shows that it loads.
import { useNavigation } from "@remix-run/react";
import { useEffect, useState } from "react";
import * as css from "./feedback.css";

/** Quick answers show no bar at all. */
const PATIENCE_MS = 400;

export function PendingBar() {
  const isLoading = useNavigation().state !== "idle";
  const [isLate, setIsLate] = useState(false);

  useEffect(() => {
    if (!isLoading) return;
    const timer = setTimeout(() => setIsLate(true), PATIENCE_MS);
    return () => {
      clearTimeout(timer);
      setIsLate(false);
    };
  }, [isLoading]);

  return (
    <div role="status" className={css.pending}>
      {isLate && (
        <>
          <div className={css.pendingBar} />
          <p className={css.pendingText}>Loading...</p>
        </>
      )}
    </div>
  );
}
