import { VictoryLabel, VictoryLine, VictoryScatter } from "victory";
import {
  drawFrame,
  drawShapes,
  none,
  words,
  type ChartTexts,
} from "../../ui/charts/chart-frame.server";
import { paint } from "../../ui/charts/chart.css";
import type { ChartDrawings } from "../../ui/charts/chart";

type Line = { name: string; values: readonly number[] };

/** Draws two lines, the second one dashed, and says each of their values. */
export function drawLabelledLines({
  labels,
  labelHeading,
  series,
  ...texts
}: ChartTexts & {
  labels: readonly string[];
  /** Heading of the labels' column. */
  labelHeading: string;
  series: readonly [Line, Line];
}): ChartDrawings {
  const drawLine = ({ name, values }: Line, index: number) => {
    const data = values.map((y, at) => ({ x: at + 1, y }));
    const stroke = index === 0 ? paint.bar : paint.before;
    const dashes = index === 0 ? undefined : "5 4";
    return [
      <VictoryLine
        key={name}
        data={data}
        style={{ data: { fill: "none", stroke, strokeWidth: 2, strokeDasharray: dashes } }}
      />,
      <VictoryScatter
        key={`${name}-dots`}
        data={data}
        size={2.5}
        style={{ data: { ...none, fill: stroke }, labels: words }}
        labels={({ datum }: { datum: { y: number } }) => `${datum.y}`}
        labelComponent={<VictoryLabel dy={-8} />}
      />,
    ];
  };
  const drawings = drawShapes(
    (shape) =>
      drawFrame({
        ...texts,
        shape,
        labels,
        highest: Math.max(...series.flatMap(({ values }) => values)),
        children: () => series.flatMap(drawLine),
      }),
    {
      id: `${texts.id}-table`,
      caption: texts.title,
      headings: [labelHeading, ...series.map(({ name }) => `${texts.unit}, ${name}`)],
      rows: labels.map((label, at) => ({
        label,
        values: series.map(({ values }) => `${values[at]}`),
      })),
    },
  );
  return { ...drawings, series: [series[0].name, series[1].name] };
}
