import { VictoryArea, VictoryLine, VictoryScatter, Point } from "victory";
import { formatNumber } from "../../format/number";
import { paint } from "./chart.css";
import type { ChartDrawings } from "./chart";
import { cacheDrawings } from "./drawing-cache.server";
import { drawFrame, drawShapes, none, peakLabel, peakLabelStyle } from "./chart-frame.server";
import type { ChartTexts } from "./chart-frame.server";

type LineChartData = ChartTexts & {
  /** Heading of the labels' column: 'Day'. */
  labelHeading: string;
  /**
   * From left to right: 24 hours, 7 or 31 days, 12 months. Labels are unique; null is a value
   * that does not exist yet, or that one of the two periods does not have.
   */
  points: readonly { label: string; value: number | null; before?: number | null }[];
  /** Names of the two series, if there is one before: 'This month', 'The month before'. */
  series?: { current: string; before: string };
};

/** Dots of more values would run into each other. */
const maxDots = 40;

/** Draws a line of whole numbers, and a dashed one of the period before. */
export function drawLineChart(data: LineChartData): ChartDrawings {
  return cacheDrawings("line", data, () => drawLines(data));
}

function drawLines({ labelHeading, points, series, ...texts }: LineChartData): ChartDrawings {
  const { format = formatNumber } = texts;
  const current = points.map(({ value }) => value);
  const before = series ? points.map((point) => point.before ?? null) : [];
  const highest = Math.max(1, ...[...current, ...before].map((value) => value ?? 0));
  const peakValue = Math.max(0, ...current.map((value) => value ?? 0));
  const peak = peakValue > 0 ? current.indexOf(peakValue) + 1 : 0;
  const cell = (value: number | null | undefined) =>
    value === null || value === undefined ? "–" : format(value);
  const table = {
    id: `${texts.id}-table`,
    caption: texts.title,
    headings: series
      ? [labelHeading, `${texts.unit}, ${series.current}`, `${texts.unit}, ${series.before}`]
      : [labelHeading, texts.unit],
    rows: points.map(({ label, value, before: earlier }) => ({
      label,
      values: series ? [cell(value), cell(earlier)] : [cell(value)],
    })),
  };
  const drawings = drawShapes(
    (shape) =>
      drawFrame({
        ...texts,
        shape,
        highest,
        labels: points.map(({ label }) => label),
        children: ({ highestTick }) => [
          ...shadeOfFuture(current, highestTick),
          ...(series
            ? [
                <VictoryLine
                  key="before"
                  data={toPoints(before)}
                  style={{
                    data: {
                      ...line,
                      stroke: paint.before,
                      strokeWidth: 1.5,
                      strokeDasharray: "5 4",
                    },
                  }}
                />,
              ]
            : []),
          <VictoryLine
            key="current"
            data={toPoints(current)}
            style={{ data: { ...line, stroke: paint.bar, strokeWidth: 2 } }}
          />,
          // Dots show a value whose neighbours are missing, and the highest one says its figure.
          <VictoryScatter
            key="dots"
            data={toPoints(current).filter(
              ({ x, y }) => y !== null && (points.length <= maxDots || x === peak),
            )}
            style={{ data: { ...none, fill: paint.bar }, labels: peakLabelStyle }}
            labels={({ datum }: { datum: { x: number; y: number } }) =>
              datum.x === peak ? format(datum.y) : null
            }
            labelComponent={peakLabel(peak, points.length, 8)}
            dataComponent={<Point getPath={dot} />}
          />,
        ],
      }),
    table,
  );
  return series ? { ...drawings, series: [series.current, series.before] } : drawings;
}

/** A shade over the places at the end that have no value yet. */
function shadeOfFuture(values: readonly (number | null)[], top: number) {
  const first = values.findLastIndex((value) => value !== null) + 1;
  if (first === 0 || first === values.length) return [];
  return [
    <VictoryArea
      key="future"
      data={[first, values.length].map((x) => ({ x: x + 0.5, y: top }))}
      style={{ data: { ...none, fill: paint.grid, fillOpacity: 0.4 } }}
    />,
  ];
}

const line = { fill: "none" };

function toPoints(values: readonly (number | null)[]) {
  return values.map((y, at) => ({ x: at + 1, y }));
}

/** Two arcs: half as long as Victory's own path. */
function dot(x: number, y: number): string {
  return `M${x - 2.5} ${y}a2.5 2.5 0 1 0 5 0a2.5 2.5 0 1 0-5 0`;
}
