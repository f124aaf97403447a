import type { ReactElement } from "react";
import {
  VictoryAxis,
  VictoryChart,
  VictoryContainer,
  VictoryLabel,
  type VictoryThemeDefinition,
} from "victory";
import { formatNumber } from "../../format/number";
import { paint } from "./chart.css";
import type { ChartDrawings, ChartTableData, Drawing } from "./chart";
import { drawSvg } from "./svg-drawing.server";

export type ChartTexts = {
  /** Begins the ids of the picture: unique on the page. */
  id: string;
  /** Names the picture. */
  title: string;
  /** Description for assistive technology; the table has the figures. */
  description: string;
  /** Heading of the values' column: 'Redemptions'. */
  unit: string;
  /** Formats a value for the axis and the table; whole numbers with separators by default. */
  format?: (value: number) => string;
};

/** Sizes in which letters are as large as those around the picture. */
const shapes = {
  wide: { width: 1080, height: 240, labels: 10 },
  medium: { width: 640, height: 220, labels: 6 },
  narrow: { width: 320, height: 200, labels: 3 },
};
export type Shape = keyof typeof shapes;

/** Draws a chart for a wide page, for a smaller one or paper, and for a phone. */
export function drawShapes(draw: (shape: Shape) => Drawing, table: ChartTableData): ChartDrawings {
  return { wide: draw("wide"), medium: draw("medium"), narrow: draw("narrow"), table };
}

/** Text style of the stylesheet, repeated here so that Victory leaves enough room. */
export const textStyle = { fill: paint.text, fontSize: 12, padding: 8 };
export const none = { stroke: "none" };
const theme: VictoryThemeDefinition = {
  independentAxis: {
    style: { axis: { stroke: paint.grid }, grid: none, ticks: none, tickLabels: textStyle },
  },
  dependentAxis: {
    style: { axis: none, grid: { stroke: paint.grid }, ticks: none, tickLabels: textStyle },
  },
};
/** Style of the one figure that a chart says itself. */
export const peakLabelStyle = { ...textStyle, fontWeight: 600 };

type Frame = ChartTexts & {
  shape: Shape;
  /** Under the places, from left to right; a label may be left out where they stand close. */
  labels: readonly string[];
  /** Highest value, at least 1. */
  highest: number;
  /** Draws the values, which stand at 1, 2, … */
  children: (place: { width: number; highestTick: number }) => ReactElement[];
};

/** Draws values over two axes: labels from left to right, figures upwards from 0. */
export function drawFrame({ id, title, description, format = formatNumber, ...frame }: Frame) {
  const { shape, labels, highest, children } = frame;
  const { width, height, labels: maxLabels } = shapes[shape];
  const ticks = ticksTo(highest);
  const room = 12 + Math.max(...ticks.map((tick) => widthOf(format(tick))));
  const padding = { top: 24, bottom: 28, left: room, right: 20 };
  return drawSvg(
    <VictoryChart
      theme={theme}
      width={width}
      height={height}
      padding={padding}
      domain={{ x: [0.5, labels.length + 0.5], y: [0, ticks.at(-1)!] }}
      containerComponent={
        <VictoryContainer containerId={`${id}-${shape}`} title={title} desc={description} />
      }
    >
      <VictoryAxis dependentAxis tickValues={ticks} tickFormat={format} />
      <VictoryAxis
        tickValues={labelledPlaces(labels.length, maxLabels)}
        tickFormat={(place: number) => labels[place - 1] ?? ""}
      />
      {children({
        width: (width - room - padding.right) / labels.length,
        highestTick: ticks.at(-1)!,
      })}
    </VictoryChart>,
  );
}

/** Estimates the pixels of a figure: letters of a currency are up to as wide as they are high. */
function widthOf(figure: string): number {
  return [...figure].reduce((sum, sign) => sum + (/[\d.,\s]/.test(sign) ? 7 : 12), 0);
}

/**
 * Draws the figure of the peak, anchored so that it stays within the picture.
 * @param place from 1 to `count`
 * @param distance pixels above the value
 */
export function peakLabel(place: number, count: number, distance: number) {
  const isAtStart = count >= 8 && place < count * 0.15;
  const isAtEnd = count >= 8 && place > count * 0.85;
  const anchor = isAtStart ? "start" : isAtEnd ? "end" : "middle";
  return <VictoryLabel dy={-distance} textAnchor={anchor} />;
}

/** 1, 2 or 5 times a power of ten: four steps at most reach `highest`. */
function stepTo(highest: number): number {
  let step = 1;
  for (let at = 0; step * 4 < highest; at++) step *= at % 3 === 1 ? 2.5 : 2;
  return Math.round(step);
}

/** Steps of the axis, 0 first; the last one is not below `highest`. */
function ticksTo(highest: number): number[] {
  const step = stepTo(highest);
  return Array.from({ length: Math.ceil(highest / step) + 1 }, (_, at) => at * step);
}

/** The places that get a label, counted from 1: the last one, and others at even distances. */
function labelledPlaces(count: number, maxLabels: number): number[] {
  const distance = Math.ceil(count / maxLabels);
  const places: number[] = [];
  for (let at = count; at >= 1; at -= distance) places.unshift(at);
  return places;
}
