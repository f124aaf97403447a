import { useLoaderData } from "@remix-run/react";
import { demoCrumbs } from "../../demo/crumbs";
import "../../demo/demo.css";
import * as shared from "../../demo/demo.css";
import * as css from "../../demo/showcase/ui.css";
import { requireDemo } from "../../demo/guard.server";
import { ChartCard } from "../../demo/showcase/chart-card";
import { drawLineCharts } from "../../demo/showcase/line-charts.server";
import { numberParam } from "../../demo/showcase/random";
import { RealTimeChart } from "../../demo/showcase/real-time";
import { pageMeta } from "../../forms/page-meta";
import { screenLoader } from "../../http/answers.server";
import { ButtonLink } from "../../ui/form/button";
import { cardSection } from "../../ui/layout/layout.css";
import { Card, Page } from "../../ui/layout/page";

export const handle = { crumbs: demoCrumbs };
export const meta = pageMeta("Line charts");

export const loader = screenLoader(requireDemo, async ({ request }) => {
  const query = new URL(request.url).searchParams;
  return {
    ...drawLineCharts(query),
    tick: numberParam(query, "tick", { from: 0, to: 100_000, none: 0 }),
    isPaused: query.has("paused"),
  };
});

export default function LineCharts() {
  const { basic, labels, zoom, zoomIn, zoomOut, tick, isPaused } = useLoaderData<typeof loader>();
  return (
    <Page title="Line charts">
      <div className={css.stackWide}>
        <ChartCard title="Basic" chart={basic} />
        <ChartCard title="With labels" chart={labels} />
        <ChartCard id="zoom" title="Zoomable" chart={zoom}>
          <p className={shared.row}>
            {zoomIn && (
              <ButtonLink to={zoomIn} preventScrollReset>
                Zoom in
              </ButtonLink>
            )}
            {zoomOut && (
              <ButtonLink to={zoomOut} preventScrollReset>
                Zoom out
              </ButtonLink>
            )}
          </p>
        </ChartCard>
        <Card className={cardSection}>
          <h2 id="real-time">Real-time</h2>
          <RealTimeChart start={tick} isPaused={isPaused} />
        </Card>
      </div>
    </Page>
  );
}
