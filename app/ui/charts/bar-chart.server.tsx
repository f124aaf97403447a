import { Bar, VictoryBar, type BarProps } from "victory";
import { formatNumber } from "../../format/number";
import { paint } from "./chart.css";
import type { ChartDrawings } from "./chart";
import { cacheDrawings } from "./drawing-cache.server";
import { drawFrame, drawShapes, none, peakLabel, peakLabelStyle } from "./chart-frame.server";
import type { ChartTexts } from "./chart-frame.server";

type BarChartData = ChartTexts & {
  /** Heading of the labels' column: 'Day'. */
  labelHeading: string;
  /** From left to right; a label may be left out under bars that stand close. */
  bars: readonly { label: string; value: number }[];
};

/** Draws bars of whole numbers. */
export function drawBarChart(data: BarChartData): ChartDrawings {
  return cacheDrawings("bars", data, () => drawBars(data));
}

function drawBars({ labelHeading, bars, ...texts }: BarChartData): ChartDrawings {
  const { format = formatNumber } = texts;
  const highest = Math.max(1, ...bars.map(({ value }) => value));
  const peak = bars.findIndex(({ value }) => value === highest);
  const table = {
    id: `${texts.id}-table`,
    caption: texts.title,
    headings: [labelHeading, texts.unit],
    rows: bars.map(({ label, value }) => ({ label, values: [format(value)] })),
  };
  return drawShapes(
    (shape) =>
      drawFrame({
        ...texts,
        shape,
        highest,
        labels: bars.map(({ label }) => label),
        children: ({ width }) => [
          <VictoryBar
            key="bars"
            data={bars.flatMap(({ value }, at) => (value === 0 ? [] : { x: at + 1, y: value, at }))}
            style={{ data: { ...none, fill: paint.bar }, labels: peakLabelStyle }}
            barWidth={Math.min(40, 0.72 * width)}
            // The highest bar says its figure itself.
            labels={({ datum }: { datum: { at: number; y: number } }) =>
              datum.at === peak ? format(datum.y) : null
            }
            labelComponent={peakLabel(peak + 1, bars.length, 4)}
            dataComponent={<Bar getPath={plainBar} />}
          />,
        ],
      }),
    table,
  );
}

/** A third as long as Victory's own path, which has eight arcs. */
function plainBar({ x = 0, y = 0, y0 = 0, barWidth }: BarProps): string {
  const half = Number(barWidth) / 2;
  const radius = Math.min(3, half, y0 - y);
  const [left, right] = [x - half, x + half];
  return (
    `M${left} ${y0}V${y + radius}Q${left} ${y} ${left + radius} ${y}` +
    `H${right - radius}Q${right} ${y} ${right} ${y + radius}V${y0}Z`
  );
}
