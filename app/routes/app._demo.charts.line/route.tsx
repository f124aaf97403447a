import { useLoaderData } from "@remix-run/react";
import "../../demo/demo.css";
import * as shared from "../../demo/demo.css";
import * as css from "../../demo/showcase/ui.css";
import { requireDemo } from "../../demo/guard.server";
import { drawLineCharts } from "../../demo/showcase/line-charts.server";
import { numberParam } from "../../demo/showcase/random";
import { RealTimeChart } from "../../demo/showcase/real-time";
import { pageMeta } from "../../forms/page-meta";
import { screenLoader } from "../../http/answers.server";
import { Chart } from "../../ui/charts/chart";
import { ButtonLink } from "../../ui/form/button";
import { cardSection } from "../../ui/layout/layout.css";
import { Card, Page } from "../../ui/layout/page";

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
        <Card className={cardSection}>
          <h2>Basic</h2>
          <Chart {...basic} />
        </Card>
        <Card className={cardSection}>
          <h2>With labels</h2>
          <Chart {...labels} />
        </Card>
        <Card className={cardSection}>
          <h2 id="zoom">Zoomable</h2>
          <Chart {...zoom} />
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
        </Card>
        <Card className={cardSection}>
          <h2 id="real-time">Real-time</h2>
          <RealTimeChart start={tick} isPaused={isPaused} />
          <p>
            <ButtonLink to={isPaused ? "?#real-time" : "?paused=1#real-time"} preventScrollReset>
              {isPaused ? "Resume" : "Pause"}
            </ButtonLink>
          </p>
        </Card>
      </div>
    </Page>
  );
}
