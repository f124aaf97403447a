// Without script: a link reads the page again.
import type { SerializeFrom } from "@remix-run/node";
import { useLocation, useRevalidator } from "@remix-run/react";
import { useEffect } from "react";
import { countOf, formatNumber } from "../../format/number";
import { ButtonLink } from "../../ui/form/button";
import { Card } from "../../ui/layout/page";
import type { loader } from "./route";

const refreshMs = 1_500;

type Running = Extract<SerializeFrom<typeof loader>, { state: "running" }>;

export function BulkProgress({ page: { position, total, title } }: { page: Running }) {
  const { pathname, search } = useLocation();
  const { revalidate, state } = useRevalidator();
  useEffect(() => {
    if (state !== "idle") return;
    const timer = setTimeout(revalidate, refreshMs);
    return () => clearTimeout(timer);
  }, [state, revalidate]);
  return (
    <Card>
      <progress value={position} max={total} aria-label={title} />
      <p>{`${formatNumber(position)} of ${countOf(total, "code")} done.`}</p>
      <p>This goes on if you leave the page.</p>
      <ButtonLink to={`${pathname}${search}`}>Refresh</ButtonLink>
    </Card>
  );
}
