import { renderToStaticMarkup } from "react-dom/server";
import type { ReactElement } from "react";
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
import type { ChartDrawings, Drawing, DrawnPart } from "./chart";

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
  const ticks = ticksTo(most);
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
      domain={{ x: [0.5, bars.length + 0.5], y: [0, ticks.at(-1)!] }}
      containerComponent={
        <VictoryContainer containerId={`${id}-${shape}`} title={title} desc={description} />
      }
    >
      <VictoryAxis
        dependentAxis
        tickValues={ticks}
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

/** Steps of the axis, 0 first; the last one is not below `most`. */
function ticksTo(most: number): number[] {
  const step = stepTo(most);
  return Array.from({ length: Math.ceil(most / step) + 1 }, (_, at) => at * step);
}

/** The places that get a label, counted from 1: the last one, and others at even distances. */
function labelled(count: number, most: number): number[] {
  const distance = Math.ceil(count / most);
  const places: number[] = [];
  for (let at = count; at >= 1; at -= distance) places.unshift(at);
  return places;
}

/** Elements that are kept; everything else that the library writes is left out, groups included. */
const elements = ["title", "desc", "path", "line", "tspan"];
const attributes = new Set([
  ..."viewBox aria-labelledby aria-describedby d x y dx dy x1 x2 y1 y2".split(" "),
  ..."fill stroke stroke-width text-anchor font-weight".split(" "),
]);
/** Attributes that matter on some elements only. */
const ofElements: Record<string, string> = { svg: "role", title: "id", desc: "id" };

/** Values that are as good as none, but of a place. */
const nothing = ["", "none", "transparent", "0"];
const isPlace = /^[xy][12]?$/;

/**
 * The first `<svg>` that a component renders. Its inline styles, which the content security policy
 * refuses, become attributes of the same meaning; shapes of one paint become one.
 */
function drawSvg(component: ReactElement): Drawing {
  let drawing: Drawing | undefined;
  let ofText: Record<string, string> = {};
  for (const [, end, name = "", written = "", words] of renderToStaticMarkup(component).matchAll(
    /<(\/?)([a-z]+)((?:\s[^\s=>]+="[^"]*")*)\s*\/?>|([^<]+)/gi,
  )) {
    if (end && name === "svg") break;
    const last = drawing?.parts.at(-1);
    if (words !== undefined) {
      if (last) last.words += unescape(words);
      continue;
    }
    if (end) continue;
    const kept = keptAttributes(name, written);
    if (name === "svg") drawing = { attributes: kept, parts: [] };
    else if (name === "text") ofText = kept;
    else if (elements.includes(name))
      addPart(drawing!.parts, {
        // Each line of a text is one of its own.
        ...(name === "tspan"
          ? { name: "text", attributes: { ...ofText, ...kept } }
          : { name, attributes: kept }),
        words: "",
      });
  }
  if (!drawing) throw new Error("Nothing was drawn");
  return drawing;
}

function addPart(parts: DrawnPart[], part: DrawnPart): void {
  if (part.name === "line" && !part.attributes.stroke) return;
  const last = parts.at(-1);
  const isMore = part.name === "path" && last?.name === "path" && paintOf(last) === paintOf(part);
  if (isMore) last.attributes.d += part.attributes.d!;
  else parts.push(part);
}

function paintOf({ attributes: { d: _shape, ...paint } }: DrawnPart): string {
  return JSON.stringify(paint);
}

/** By the names that React has for them. */
function keptAttributes(element: string, written: string): Record<string, string> {
  const kept: Record<string, string> = {};
  const keep = (name: string, value: string) => {
    if (!attributes.has(name) && ofElements[element] !== name) return;
    if (nothing.includes(value) && !isPlace.test(name)) return;
    kept[reactName(name)] = shorten(value);
  };
  for (const [, name = "", value = ""] of written.matchAll(/([^\s=]+)="([^"]*)"/g)) {
    if (name !== "style") keep(name, unescape(value));
    else
      for (const declaration of unescape(value).split(";")) {
        const [property = "", ...words] = declaration.split(":");
        keep(property, words.join(":"));
      }
  }
  return kept;
}

/** 'stroke-width' → 'strokeWidth'; aria-… stays. */
function reactName(name: string): string {
  return name.startsWith("aria-")
    ? name
    : name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** More than a tenth of a pixel nobody sees. */
function shorten(value: string): string {
  return value.replace(/\d+\.\d{2,}/g, (figure) => String(Number(Number(figure).toFixed(1))));
}

const characters: Record<string, string> = { lt: "<", gt: ">", quot: '"', "#x27": "'", amp: "&" };

/** What React escapes. */
function unescape(text: string): string {
  return text.replace(/&(lt|gt|quot|#x27|amp);/g, (_, name: string) => characters[name]!);
}
