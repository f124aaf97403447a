// Without script: a link reads the progress again.
import { useLocation, useRevalidator } from "@remix-run/react";
import { useEffect } from "react";
import { formatNumber, countOf } from "../../format/number";
import { ButtonLink } from "../form/button";
import { form } from "../form/form.css";
import { Card } from "../layout/page";
import { useAreScriptsRunning } from "../overlay/focus";
import { startVisibleTimer } from "../visible-timer";
import { progress } from "./feedback.css";

const refreshMs = 1_000;

/** Shows the progress of work on the server; the page is loaded again every second. */
export function ProgressCard({
  title,
  position,
  total,
  noun,
}: {
  title: string;
  position: number;
  total: number;
  noun: string;
}) {
  const { pathname, search } = useLocation();
  const { revalidate, state } = useRevalidator();
  const areScriptsRunning = useAreScriptsRunning();
  useEffect(() => {
    if (state !== "idle") return;
    return startVisibleTimer(revalidate, refreshMs);
  }, [state, revalidate]);
  return (
    <Card className={form}>
      <progress className={progress} value={position} max={total} aria-label={title} />
      <p>{`${formatNumber(position)} of ${countOf(total, noun)} done.`}</p>
      <p>You can leave this page. The work continues.</p>
      {!areScriptsRunning && (
        <div>
          <ButtonLink to={`${pathname}${search}`}>Refresh</ButtonLink>
        </div>
      )}
    </Card>
  );
}
