import {
  Bar,
  VictoryAxis,
  VictoryBar,
  VictoryChart,
  VictoryContainer,
  VictoryLabel,
  type BarProps,
  type VictoryThemeDefinition,
} from "victory";
import { paint } from "./chart.css";
import type { ChartDrawings } from "./chart";
import { drawSvg } from "./static-svg.server";

type BarChartData = {
  /** Begins the ids of the picture: unlike any other on the page. */
  id: string;
  /** Names the picture. */
  title: string;
  /** Description for assistive technology; the table has the figures. */
  description: string;
  /** From left to right; a label may be left out under bars that stand close. */
  bars: readonly { label: string; value: number }[];
};

/** Sizes in which letters are as large as those around the picture. */
const shapes = {
  wide: { width: 1080, height: 240, labels: 10 },
  narrow: { width: 320, height: 200, labels: 3 },
};

/** Bars of whole numbers, drawn for a wide page and for a phone. */
export function drawBarChart(data: BarChartData): ChartDrawings {
  return { wide: draw(data, "wide"), narrow: draw(data, "narrow") };
}

/** Text style of the stylesheet, repeated here so that Victory leaves enough room. */
const words = { fill: paint.words, fontSize: 12, padding: 8 };
const none = { stroke: "none" };
const theme: VictoryThemeDefinition = {
  independentAxis: {
    style: { axis: { stroke: paint.grid }, grid: none, ticks: none, tickLabels: words },
  },
  dependentAxis: {
    style: { axis: none, grid: { stroke: paint.grid }, ticks: none, tickLabels: words },
  },
  bar: { style: { data: { ...none, fill: paint.bar }, labels: { ...words, fontWeight: 600 } } },
};

function draw({ id, title, description, bars }: BarChartData, shape: keyof typeof shapes) {
  const { width, height, labels } = shapes[shape];
  const most = Math.max(1, ...bars.map(({ value }) => value));
  const room = 12 + 7 * most.toLocaleString("en-US").length;
  const padding = { top: 24, bottom: 28, left: room, right: 20 };
  const barWidth = Math.min(40, (0.72 * (width - room - 20)) / bars.length);
  const peak = bars.findIndex(({ value }) => value === most);
  return drawSvg(
    <VictoryChart
      theme={theme}
      width={width}
      height={height}
      padding={padding}
      domain={{ x: [0.5, bars.length + 0.5], y: [0, highest(most)] }}
      containerComponent={
        <VictoryContainer containerId={`${id}-${shape}`} title={title} desc={description} />
      }
    >
      <VictoryAxis
        dependentAxis
        tickValues={ticks(most)}
        tickFormat={(value: number) => value.toLocaleString("en-US")}
      />
      <VictoryAxis
        tickValues={labelled(bars.length, labels)}
        tickFormat={(at: number) => bars[at - 1]?.label ?? ""}
      />
      <VictoryBar
        data={bars.flatMap(({ value }, at) => (value === 0 ? [] : { x: at + 1, y: value, at }))}
        barWidth={barWidth}
        // The highest bar says its figure itself.
        labels={({ datum }: { datum: { at: number; y: number } }) =>
          datum.at === peak ? datum.y.toLocaleString("en-US") : null
        }
        labelComponent={<VictoryLabel dy={-4} />}
        dataComponent={<Bar getPath={plainBar} />}
      />
    </VictoryChart>,
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

/** 1, 2 or 5 times a power of ten: four steps at most reach `most`. */
function stepTo(most: number): number {
  let step = 1;
  for (let at = 0; step * 4 < most; at++) step *= at % 3 === 1 ? 2.5 : 2;
  return Math.round(step);
}

function ticks(most: number): number[] {
  const step = stepTo(most);
  return Array.from({ length: Math.ceil(most / step) + 1 }, (_, at) => at * step);
}

function highest(most: number): number {
  return ticks(most).at(-1)!;
}

/** The places that get a label, counted from 1: the last one, and others at even distances. */
function labelled(count: number, most: number): number[] {
  const distance = Math.ceil(count / most);
  const places: number[] = [];
  for (let at = count; at >= 1; at -= distance) places.unshift(at);
  return places;
}
