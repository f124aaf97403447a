import { drawBarChart } from "../../ui/charts/bar-chart.server";
import { drawHeatMap } from "../../ui/charts/heat-map.server";
import { drawLineChart } from "../../ui/charts/line-chart.server";
import { button } from "../../ui/form/button.css";
import { ChartCard } from "./chart-card";
import * as shared from "../demo.css";
import * as css from "./ui.css";
import * as pageCss from "./pages.css";
import { pictureUrl, productPictures } from "../pictures/picture-names";
import { drawPieChart, drawRadarChart, drawSeriesBars } from "./draw-charts.server";
import { once } from "./once";
import { numberParam, randomBetween } from "./random";
import type { ShowcaseProps } from "./showcase-props";

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun"];
const visits = [12, 24, 18, 36, 31, 48];
const weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri"];
const hours = ["08", "10", "12", "14", "16", "18"];
const heat = [
  [4, 9, 14, 11, 8, 3],
  [6, 12, 17, 15, 9, 5],
  [3, 8, 21, 18, 12, 6],
  [7, 13, 16, 14, 10, 4],
  [9, 15, 25, 19, 7, 2],
];
const skills = ["Speed", "Reach", "Comfort", "Safety", "Price", "Range"];
const parts = [
  { label: "Group A", value: 40 },
  { label: "Group B", value: 30 },
  { label: "Group C", value: 20 },
  { label: "Group D", value: 10 },
];

const texts = (
  id: string,
  title: string,
  unit: string,
  description = "A sample of fixed numbers.",
) => ({
  id,
  title,
  unit,
  description,
});

const line = (id: string, title: string) =>
  drawLineChart({
    ...texts(id, title, "Visits"),
    labelHeading: "Month",
    points: months.map((label, at) => ({ label, value: visits[at]! })),
  });

const bars = (id: string, title: string) =>
  drawBarChart({
    ...texts(id, title, "Visits"),
    labelHeading: "Month",
    bars: months.map((label, at) => ({ label, value: visits[at]! })),
  });

const two = [
  { name: "Net profit", values: [44, 55, 57, 56, 61, 58] },
  { name: "Revenue", values: [76, 85, 101, 98, 87, 105] },
  { name: "Cash flow", values: [35, 41, 36, 26, 45, 48] },
];

const drawOverview = once(() => ({
  line: line("line", "Visits by month"),
  heat: drawHeatMap({
    ...texts("heat", "Visits", "Visits"),
    rowHeading: "weekday",
    columnHeading: "Hour",
    rows: weekdays,
    columns: hours,
    values: heat,
  }),
  radar: drawRadarChart({
    ...texts("radar", "Two models compared", "Quality"),
    labels: skills,
    series: [
      { name: "Model 1", values: [80, 50, 30, 40, 90, 20] },
      { name: "Model 2", values: [20, 70, 80, 60, 30, 80] },
    ],
  }),
  pie: drawPieChart({ ...texts("pie", "Share of each group", "Value"), slices: parts }),
  bars: bars("bars", "Visits by month, as bars"),
}));

export function ChartsOverviewPage() {
  const charts = drawOverview();
  return (
    <div className={css.stackWide}>
      <ChartCard title="Line" chart={charts.line} />
      <ChartCard title="Heat map" about="Visits by hour and weekday" chart={charts.heat} />
      <div className={shared.grid}>
        <ChartCard title="Radar" chart={charts.radar}>
          <Legend names={["Model 1", "Model 2"]} />
        </ChartCard>
        <ChartCard title="Pie" chart={charts.pie} />
      </div>
      <ChartCard title="Bars" chart={charts.bars} />
    </div>
  );
}

function Legend({ names }: { names: string[] }) {
  return (
    <ul className={pageCss.legend}>
      {names.map((name) => (
        <li key={name}>{name}</li>
      ))}
    </ul>
  );
}

/** A picture above each bar of the chart that follows. */
function BarPictures() {
  return (
    <div className={pageCss.barPictures}>
      <div className={pageCss.aboveBars}>
        {["trainers-white", "boots-white", "sandals-white"]
          .filter((name) => productPictures.includes(name))
          .map((name) => (
            <img
              key={name}
              src={pictureUrl(name)}
              alt={name.split("-")[0]!}
              width={120}
              height={80}
              loading="lazy"
            />
          ))}
      </div>
    </div>
  );
}

const drawBars = once(() => {
  const series = { labels: months, series: two };
  return {
    basic: bars("basic", "Visits by month"),
    grouped: drawSeriesBars({
      ...texts("grouped", "Figures by month, grouped", "Month"),
      ...series,
    }),
    stacked: drawSeriesBars({
      ...texts("stacked", "Figures by month, stacked", "Month"),
      ...series,
      isStacked: true,
    }),
    images: drawBarChart({
      ...texts("images", "Orders by shoe", "Orders"),
      labelHeading: "Shoe",
      bars: [
        { label: "Trainers", value: 320 },
        { label: "Boots", value: 210 },
        { label: "Sandals", value: 95 },
      ],
    }),
  };
});

export function BarChartsPage() {
  const charts = drawBars();
  const names = two.map(({ name }) => name);
  return (
    <div className={css.stackWide}>
      <ChartCard title="Basic" chart={charts.basic} />
      <ChartCard title="Grouped" chart={charts.grouped}>
        <Legend names={names} />
      </ChartCard>
      <ChartCard title="Stacked" chart={charts.stacked}>
        <Legend names={names} />
      </ChartCard>
      <ChartCard title="With images" chart={charts.images}>
        <BarPictures />
      </ChartCard>
    </div>
  );
}

const donutStart = [44, 55, 13, 43, 22];
const maxSlices = 12;

/** The series of the donut: fixed at first; a seed makes others, `count` of them. */
export function donutSeries(query: URLSearchParams): { values: number[]; seed: number } {
  const seed = numberParam(query, "seed", { from: 0, to: 999_999, none: 0 });
  const count = numberParam(query, "count", { from: 1, to: maxSlices, none: donutStart.length });
  const values = Array.from({ length: count }, (_, at) =>
    seed === 0 && at < donutStart.length ? donutStart[at]! : randomBetween(seed, at, 1, 100),
  );
  return { values, seed };
}

const drawPies = once(() => {
  const slices = ["Apples", "Pears", "Plums", "Cherries", "Figs"].map((label, at) => ({
    label,
    value: donutStart[at]!,
  }));
  return {
    simple: drawPieChart({ ...texts("simple", "Fruit", "Crates"), slices }),
    hole: drawPieChart({ ...texts("hole", "Fruit, with a hole", "Crates"), slices, isDonut: true }),
    mono: drawPieChart({
      ...texts("mono", "Fruit, in one colour", "Crates"),
      slices,
      isMonochrome: true,
    }),
  };
});

export function PieChartsPage({ query }: ShowcaseProps) {
  const { values, seed } = donutSeries(query);
  const url = (nextSeed: number, count: number) => `?seed=${nextSeed}&count=${count}#donut`;
  const links: [string, string][] = [
    ["Randomize", url((seed % 999_999) + 1, values.length)],
    ["Add", url(seed, Math.min(maxSlices, values.length + 1))],
    // The last series stays.
    ["Remove", url(seed, Math.max(1, values.length - 1))],
    ["Reset", "?#donut"],
  ];
  const charts = drawPies();
  return (
    <div className={pageCss.pair}>
      <ChartCard title="Simple pie" chart={charts.simple} />
      <ChartCard title="Simple donut" chart={charts.hole} />
      <ChartCard
        id="donut"
        title="Update donut"
        chart={drawPieChart({
          ...texts("update", "Series that change", "Value", "Each press gives other numbers."),
          slices: values.map((value, at) => ({ label: `Series ${at + 1}`, value })),
          isDonut: true,
        })}
      >
        <p className={shared.row}>
          {links.map(([label, href]) => (
            <a key={label} href={href} className={button.default}>
              {label}
            </a>
          ))}
        </p>
      </ChartCard>
      <ChartCard title="Monochrome" chart={charts.mono} />
    </div>
  );
}
