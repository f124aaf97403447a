/** Charts that only the demo area shows, drawn on the server as those of the product. */
import type { ReactElement } from "react";
import {
  VictoryArea,
  VictoryChart,
  VictoryContainer,
  VictoryLabel,
  VictoryPie,
  VictoryPolarAxis,
} from "victory";
import { color } from "#styles/tokens.css";
import type { ChartDrawings, Drawing } from "../../ui/charts/chart";
import { textStyle, type ChartTexts } from "../../ui/charts/chart-frame.server";
import { paint } from "../../ui/charts/chart.css";
import { cacheDrawings } from "../../ui/charts/drawing-cache.server";
import { drawSvg } from "../../ui/charts/svg-drawing.server";

const seriesColors = [
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

function container(shape: string, { id, title, description }: ChartTexts): ReactElement {
  return <VictoryContainer containerId={`${id}-${shape}`} title={title} desc={description} />;
}

type DrawShape = (shape: string, width: number, height: number) => Drawing;

/** Draws a round chart, which gains nothing from a wide page. */
const drawRound = (draw: DrawShape) => ({
  wide: draw("wide", 420, 280),
  medium: draw("medium", 420, 280),
  narrow: draw("narrow", 320, 220),
});

type PieData = ChartTexts & {
  slices: readonly { label: string; value: number }[];
  /** Whether it has a hole. */
  isDonut?: boolean;
};

/** Draws slices with their names beside them. */
export function drawPieChart(data: PieData): ChartDrawings {
  return cacheDrawings("pie", data, () => drawPie(data));
}

function drawPie({ slices, isDonut, ...texts }: PieData): ChartDrawings {
  const total = Math.max(
    1,
    slices.reduce((sum, { value }) => sum + value, 0),
  );
  const anchors = labelAnchors(slices.map(({ value }) => value / total));
  const draw: DrawShape = (shape, width, height) => {
    // Room for one line above, and for a name and a value of twelve characters beside it.
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
        style={{ labels: textStyle, data: { stroke: color.surface, strokeWidth: 2 } }}
        containerComponent={container(shape, texts)}
      />,
    );
  };
  return {
    ...drawRound(draw),
    table: {
      id: `${texts.id}-table`,
      caption: texts.title,
      headings: ["Name", texts.unit, "Share"],
      rows: slices.map(({ label, value }) => ({
        label,
        values: [`${value}`, `${Math.round((100 * value) / total)}%`],
      })),
    },
  };
}

/** A label begins at the right of the pie, ends at its left, and is centred above and below it. */
function labelAnchors(shares: readonly number[]): ("start" | "middle" | "end")[] {
  let before = 0;
  return shares.map((share) => {
    const side = Math.sin(2 * Math.PI * (before + share / 2));
    before += share;
    return side > 0.25 ? "start" : side < -0.25 ? "end" : "middle";
  });
}

type RadarSeries = { name: string; values: readonly number[] };
type RadarData = ChartTexts & {
  labels: readonly string[];
  series: readonly [RadarSeries, RadarSeries];
};

const lines = [{ stroke: paint.bar }, { stroke: paint.before, strokeDasharray: "5 4" }];

/** Draws two lines over axes that begin in one point, the second one dashed. */
export function drawRadarChart(data: RadarData): ChartDrawings {
  return cacheDrawings("radar", data, () => drawRadar(data));
}

function drawRadar(data: RadarData): ChartDrawings {
  const { labels, series } = data;
  const highest = Math.max(1, ...series.flatMap(({ values }) => values));
  // The outermost ring stands at a multiple of 20.
  const edge = 20 * Math.ceil(highest / 20);
  const axisStyle = {
    axis: { stroke: paint.grid },
    grid: { stroke: paint.grid },
    axisLabel: { ...textStyle, padding: 20 },
    tickLabels: textStyle,
  };
  const draw: DrawShape = (shape, width, height) =>
    drawSvg(
      <VictoryChart
        polar
        width={width}
        height={height}
        padding={40}
        domain={{ x: [0.5, labels.length + 0.5], y: [0, edge] }}
        containerComponent={container(shape, data)}
      >
        {labels.map((label, at) => (
          <VictoryPolarAxis
            key={label}
            dependentAxis
            axisValue={at + 1}
            label={label}
            labelPlacement="vertical"
            tickFormat={() => ""}
            style={axisStyle}
          />
        ))}
        {series.map(({ name, values }, index) => (
          <VictoryArea
            key={name}
            data={values.map((y, at) => ({ x: at + 1, y }))}
            style={{ data: { fill: "none", strokeWidth: 2, ...lines[index]! } }}
          />
        ))}
      </VictoryChart>,
    );
  return {
    ...drawRound(draw),
    series: [series[0].name, series[1].name],
    table: {
      id: `${data.id}-table`,
      caption: data.title,
      headings: [data.unit, ...series.map(({ name }) => name)],
      rows: labels.map((label, at) => ({
        label,
        values: series.map(({ values }) => String(values[at])),
      })),
    },
  };
}
