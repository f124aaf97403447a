/** Charts that only the demo area shows, drawn on the server as those of the product. */
import type { ReactElement } from "react";
import {
  VictoryArea,
  VictoryBar,
  VictoryChart,
  VictoryContainer,
  VictoryGroup,
  VictoryLabel,
  VictoryPie,
  VictoryPolarAxis,
  VictoryStack,
} from "victory";
import { color } from "#styles/tokens.css";
import {
  drawFrame,
  drawShapes,
  none,
  words,
  type ChartTexts,
} from "../../ui/charts/chart-frame.server";
import { paint } from "../../ui/charts/chart.css";
import type { ChartDrawings, ChartTableData } from "../../ui/charts/chart";
import { drawSvg } from "../../ui/charts/svg-drawing.server";

/** Colours of series that stand beside each other; the words of a legend name them too. */
export const seriesColors = [
  color.accent,
  color.success,
  color.warning,
  color.danger,
  color.neutral,
  color.info,
];
/** After the last colour come lighter ones. */
function colorAt(index: number): string {
  const base = seriesColors[index % seriesColors.length]!;
  return index < seriesColors.length ? base : `color-mix(in srgb, ${base} 55%, ${color.surface})`;
}

/** Shades of one colour. */
const shades = [1, 0.8, 0.62, 0.46, 0.32, 0.2];

type Slice = { label: string; value: number };

type PieData = ChartTexts & {
  slices: readonly Slice[];
  /** Whether it has a hole. */
  isDonut?: boolean;
  /** Whether all slices have shades of one colour. */
  isMonochrome?: boolean;
};

/** Draws slices with their names beside them. */
export function drawPieChart({ slices, isDonut, isMonochrome, ...texts }: PieData): ChartDrawings {
  const anchors = labelAnchors(slices);
  const draw = (width: number, height: number, shape: string) => {
    // Room for one line above, and for a name and a value of twelve signs beside it.
    const radius = Math.min(height / 2 - 30, width / 2 - 98);
    return drawSvg(
      <VictoryPie
        width={width}
        height={height}
        radius={radius}
        innerRadius={isDonut ? radius / 2 : 0}
        labelRadius={radius + 12}
        labelComponent={<VictoryLabel textAnchor={({ index }) => anchors[Number(index)]!} />}
        data={slices.map(({ label, value }) => ({ x: `${label}: ${value}`, y: value }))}
        colorScale={slices.map((_slice, at) => colorAt(at))}
        style={{
          labels: words,
          data: {
            stroke: color.surface,
            strokeWidth: 2,
            ...(isMonochrome && {
              fill: ({ index }) =>
                `color-mix(in srgb, ${color.accent} ${100 * shades[Number(index) % shades.length]!}%, ${color.surface})`,
            }),
          },
        }}
        containerComponent={
          <VictoryContainer
            containerId={`${texts.id}-${shape}`}
            title={texts.title}
            desc={texts.description}
          />
        }
      />,
    );
  };
  return {
    wide: draw(420, 260, "wide"),
    medium: draw(420, 260, "medium"),
    narrow: draw(320, 200, "narrow"),
    table: slicesTable(texts, slices),
  };
}

/** A label begins at the right of the pie, ends at its left, and is centred above and below it. */
function labelAnchors(slices: readonly Slice[]): ("start" | "middle" | "end")[] {
  const total = slices.reduce((sum, { value }) => sum + value, 0);
  let before = 0;
  return slices.map(({ value }) => {
    const side = Math.sin((2 * Math.PI * (before + value / 2)) / Math.max(1, total));
    before += value;
    return side > 0.25 ? "start" : side < -0.25 ? "end" : "middle";
  });
}

function slicesTable(texts: ChartTexts, slices: readonly Slice[]): ChartTableData {
  const total = slices.reduce((sum, { value }) => sum + value, 0);
  return {
    id: `${texts.id}-table`,
    caption: texts.title,
    headings: ["Name", texts.unit, "Share"],
    rows: slices.map(({ label, value }) => ({
      label,
      values: [`${value}`, `${Math.round((100 * value) / Math.max(1, total))}%`],
    })),
  };
}

type Series = { name: string; values: readonly number[] };
type SeriesData = ChartTexts & { labels: readonly string[]; series: readonly Series[] };

function seriesTable({ id, title, unit, labels, series }: SeriesData): ChartTableData {
  return {
    id: `${id}-table`,
    caption: title,
    headings: [unit, ...series.map(({ name }) => name)],
    rows: labels.map((label, at) => ({
      label,
      values: series.map(({ values }) => String(values[at])),
    })),
  };
}

/** Draws the bars of several series beside each other, or one on the other. */
export function drawSeriesBars({
  isStacked,
  ...data
}: SeriesData & { isStacked?: boolean }): ChartDrawings {
  const { labels, series } = data;
  const sums = labels.map((_label, at) => series.reduce((sum, { values }) => sum + values[at]!, 0));
  const highest = Math.max(1, ...(isStacked ? sums : series.flatMap(({ values }) => values)));
  const bars = (width: number): ReactElement[] =>
    series.map(({ name, values }, index) => (
      <VictoryBar
        key={name}
        data={values.map((value, at) => ({ x: at + 1, y: value }))}
        barWidth={Math.min(40, (0.72 * width) / (isStacked ? 1 : series.length))}
        style={{ data: { ...none, fill: colorAt(index) } }}
      />
    ));
  return drawShapes(
    (shape) =>
      drawFrame({
        ...data,
        shape,
        highest,
        children: ({ width }) => [
          isStacked ? (
            <VictoryStack key="bars">{bars(width)}</VictoryStack>
          ) : (
            <VictoryGroup key="bars" offset={Math.min(42, (0.74 * width) / series.length)}>
              {bars(width)}
            </VictoryGroup>
          ),
        ],
      }),
    seriesTable(data),
  );
}

/** Draws series over axes that begin in one point. */
export function drawRadarChart(data: SeriesData): ChartDrawings {
  const { id, title, description, labels, series } = data;
  const highest = Math.max(1, ...series.flatMap(({ values }) => values));
  // The outermost ring stands at a multiple of 20.
  const edge = 20 * Math.ceil(highest / 20);
  const draw = (width: number, height: number, shape: string) =>
    drawSvg(
      <VictoryChart
        polar
        width={width}
        height={height}
        padding={40}
        domain={{ x: [0.5, labels.length + 0.5], y: [0, edge] }}
        containerComponent={
          <VictoryContainer containerId={`${id}-${shape}`} title={title} desc={description} />
        }
      >
        {labels.map((label, at) => (
          <VictoryPolarAxis
            key={label}
            dependentAxis
            axisValue={at + 1}
            label={label}
            labelPlacement="vertical"
            tickFormat={() => ""}
            style={{
              axis: { stroke: paint.grid },
              grid: { stroke: paint.grid },
              axisLabel: { ...words, padding: 20 },
              tickLabels: words,
            }}
          />
        ))}
        {series.map(({ name, values }, index) => (
          <VictoryArea
            key={name}
            data={values.map((value, at) => ({ x: at + 1, y: value }))}
            style={{ data: { fill: "none", stroke: colorAt(index), strokeWidth: 2 } }}
          />
        ))}
      </VictoryChart>,
    );
  return {
    wide: draw(420, 300, "wide"),
    medium: draw(420, 300, "medium"),
    narrow: draw(320, 260, "narrow"),
    table: seriesTable(data),
  };
}
