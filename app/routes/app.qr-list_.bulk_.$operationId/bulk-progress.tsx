// Without script: a link reads the page again.
import type { SerializeFrom } from "@remix-run/node";
import { useLocation, useRevalidator } from "@remix-run/react";
import { useEffect } from "react";
import { countOf, formatNumber } from "../../format/number";
import { ButtonLink } from "../../ui/form/button";
import { form } from "../../ui/form/form.css";
import { Card } from "../../ui/layout/page";
import { useAreScriptsRunning } from "../../ui/overlay/focus";
import { progress } from "./bulk.css";
import type { loader } from "./route";

const refreshMs = 1_000;

type Running = Extract<SerializeFrom<typeof loader>, { state: "running" }>;

export function BulkProgress({ page: { position, total, title } }: { page: Running }) {
  const { pathname, search } = useLocation();
  const { revalidate, state } = useRevalidator();
  const areScriptsRunning = useAreScriptsRunning();
  useEffect(() => {
    if (state !== "idle") return;
    const timer = setTimeout(revalidate, refreshMs);
    return () => clearTimeout(timer);
  }, [state, revalidate]);
  return (
    <Card className={form}>
      <progress className={progress} value={position} max={total} aria-label={title} />
      <p>{`${formatNumber(position)} of ${countOf(total, "code")} done.`}</p>
      <p>You can leave this page. The work continues.</p>
      {!areScriptsRunning && (
        <div>
          <ButtonLink to={`${pathname}${search}`}>Refresh</ButtonLink>
        </div>
      )}
    </Card>
  );
}
