import { drawLineChart } from "../../ui/charts/line-chart.server";
import { drawLabelledLines } from "./labelled-lines.server";
import { once } from "./once";
import { numberParam, randomBetween } from "./random";

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep"];
const desktops = [10, 41, 35, 51, 49, 62, 69, 91, 148];
const high = [28, 29, 33, 36, 32, 32, 33, 31, 30];
const low = [12, 11, 14, 18, 17, 13, 13, 12, 10];
/** Days that can be zoomed into. */
const days = 120;

const drawFixed = once(() => ({
  basic: drawLineChart({
    id: "basic",
    title: "Desktops sold by month",
    description: "A sample of fixed numbers.",
    unit: "Desktops",
    labelHeading: "Month",
    points: months.map((label, at) => ({ label, value: desktops[at]! })),
  }),
  labels: drawLabelledLines({
    id: "labels",
    title: "Highest and lowest temperature",
    description: "A sample of fixed numbers.",
    unit: "°C",
    labelHeading: "Month",
    labels: months,
    series: [
      { name: "High", values: high },
      { name: "Low", values: low },
    ],
  }),
}));

/** Draws the three line charts that stand still. */
export function drawLineCharts(query: URLSearchParams) {
  const from = numberParam(query, "from", { from: 1, to: days - 9, none: 1 });
  const to = numberParam(query, "to", { from: from + 9, to: days, none: days });
  const quarter = Math.floor((to - from) / 4);
  const width = to - from;
  return {
    ...drawFixed(),
    zoom: drawLineChart({
      id: "zoom",
      title: `Price of a share, days ${from} to ${to}`,
      description: "A sample of fixed numbers.",
      unit: "Price",
      labelHeading: "Day",
      points: Array.from({ length: to - from + 1 }, (_, at) => ({
        label: `${from + at}`,
        value: 100 + (from + at) + randomBetween(3, from + at, 0, 40),
      })),
    }),
    zoomIn: width >= 20 ? `?from=${from + quarter}&to=${to - quarter}#zoom` : null,
    zoomOut:
      width < days - 1
        ? `?from=${Math.max(1, from - width)}&to=${Math.min(days, to + width)}#zoom`
        : null,
  };
}
