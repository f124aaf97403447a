import { useLoaderData } from "@remix-run/react";
import { pageMeta } from "../../forms/page-meta";
import { screenLoader } from "../../http/answers.server";
import { parts } from "../../ui/layout/layout.css";
import { Page } from "../../ui/layout/page";
import { ChartCard } from "../charts/chart-card";
import { RealTimeChart } from "../charts/real-time";
import { drawVisitLine } from "../charts/sample-charts.server";
import { requireDemo } from "../demo.server";
import { numberParam } from "../random";

export const meta = pageMeta("Line charts");

export const loader = screenLoader(requireDemo, async ({ request }) => {
  const query = new URL(request.url).searchParams;
  return {
    basic: drawVisitLine(),
    tick: numberParam(query, "tick", { from: 0, to: 100_000, none: 0 }),
    isPaused: query.has("paused"),
  };
});

export default function LineCharts() {
  const { basic, tick, isPaused } = useLoaderData<typeof loader>();
  return (
    <Page title="Line charts">
      <div className={parts}>
        <ChartCard title="Basic" chart={basic} />
        <RealTimeChart start={tick} isPaused={isPaused} />
      </div>
    </Page>
  );
}
