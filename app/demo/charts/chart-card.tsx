// Without script: the same.
import type { ReactNode } from "react";
import { Chart, type ChartDrawings } from "../../ui/charts/chart";
import { cardSection } from "../../ui/layout/layout.css";
import { Card } from "../../ui/layout/page";
import { muted } from "#styles/global.css";

type ChartCardProps = {
  title: string;
  chart: ChartDrawings;
  children?: ReactNode;
};

/** A sample of a kind of chart, and what the chart measures. */
export function ChartCard({ title, chart, children }: ChartCardProps) {
  return (
    <Card className={cardSection}>
      <h2>{title}</h2>
      <p className={muted}>{chart.table.caption}</p>
      {children}
      <Chart {...chart} />
    </Card>
  );
}
