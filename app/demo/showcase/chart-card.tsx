import type { ReactNode } from "react";
import { Chart, type ChartDrawings } from "../../ui/charts/chart";
import { cardSection } from "../../ui/layout/layout.css";
import { Card } from "../../ui/layout/page";
import { muted } from "#styles/global.css";

type ChartCardProps = {
  /** Id of the heading. */
  id?: string;
  /** The type of the chart. */
  title: string;
  chart: ChartDrawings;
  /** Says what it measures; the caption of its table by default. */
  about?: string;
  /** Stands above the picture. */
  children?: ReactNode;
};

/** A sample of a type of chart, and what the chart measures. */
export function ChartCard({ id, title, chart, about, children }: ChartCardProps) {
  return (
    <Card className={cardSection}>
      <h2 id={id}>{title}</h2>
      <p className={muted}>{about ?? chart.table.caption}</p>
      {children}
      <Chart {...chart} />
    </Card>
  );
}
