/** The charts of the demo area, of fixed numbers. */
import { drawBarChart } from "../../ui/charts/bar-chart.server";
import { drawHeatMap } from "../../ui/charts/heat-map.server";
import { drawLineChart } from "../../ui/charts/line-chart.server";
import { drawPieChart, drawRadarChart } from "./draw-charts.server";

const texts = (id: string, title: string, unit: string) => ({
  id,
  title,
  unit,
  description: "A sample of fixed numbers.",
});

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun"];
const visits = [12, 24, 18, 36, 31, 48].map((value, at) => ({ label: months[at]!, value }));
const visitTexts = (id: string) => ({
  ...texts(id, "Visits by month", "Visits"),
  labelHeading: "Month",
});

export const drawVisitLine = () => drawLineChart({ ...visitTexts("line"), points: visits });
export const drawVisitBars = () => drawBarChart({ ...visitTexts("bars"), bars: visits });

export const drawVisitHeat = () =>
  drawHeatMap({
    ...texts("heat", "A working week", "Visits"),
    rowHeading: "weekday",
    columnHeading: "Hour",
    rows: ["Mon", "Tue", "Wed", "Thu", "Fri"],
    columns: ["08", "10", "12", "14", "16", "18"],
    values: [
      [4, 9, 14, 11, 8, 3],
      [6, 12, 17, 15, 9, 5],
      [3, 8, 21, 18, 12, 6],
      [7, 13, 16, 14, 10, 4],
      [9, 15, 25, 19, 7, 2],
    ],
  });

export const drawModels = () =>
  drawRadarChart({
    ...texts("radar", "Two models compared", "Quality"),
    labels: ["Speed", "Reach", "Comfort", "Safety", "Price", "Range"],
    series: [
      { name: "Model 1", values: [80, 50, 30, 40, 90, 20] },
      { name: "Model 2", values: [20, 70, 80, 60, 30, 80] },
    ],
  });

const fruit = ["Apples", "Pears", "Plums", "Cherries", "Figs"];
const crates = [44, 55, 13, 43, 22];
export const drawFruit = () =>
  drawPieChart({
    ...texts("pie", "Fruit", "Crates"),
    slices: fruit.map((label, at) => ({ label, value: crates[at]! })),
  });

export const drawDonut = (values: readonly number[]) =>
  drawPieChart({
    ...texts("donut", "Series that change", "Value"),
    slices: values.map((value, at) => ({ label: `Series ${at + 1}`, value })),
    isDonut: true,
  });
