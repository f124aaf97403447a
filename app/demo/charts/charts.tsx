import { button } from "../../ui/form/button.css";
import { parts } from "../../ui/layout/layout.css";
import * as css from "../demo.css";
import { numberParam, randomBetween } from "../random";
import type { ShowcaseProps } from "../showcase/showcase-page";
import { ChartCard } from "./chart-card";
import * as samples from "./sample-charts.server";

export function ChartsOverviewPage() {
  return (
    <div className={parts}>
      <ChartCard title="Line" chart={samples.drawVisitLine()} />
      <ChartCard title="Heat map" chart={samples.drawVisitHeat()} />
      <div className={css.pair}>
        <ChartCard title="Radar" chart={samples.drawModels()} />
        <ChartCard title="Pie" chart={samples.drawFruit()} />
      </div>
    </div>
  );
}

export function BarChartsPage() {
  return <ChartCard title="Basic" chart={samples.drawVisitBars()} />;
}

const donutStart = [44, 55, 13, 43, 22];
const maxSlices = 12;

/** The series of the donut: fixed at first; a seed makes others, `count` of them. */
function donutSeries(query: URLSearchParams): { values: number[]; seed: number } {
  const seed = numberParam(query, "seed", { from: 0, to: 999_999, none: 0 });
  const count = numberParam(query, "count", { from: 1, to: maxSlices, none: donutStart.length });
  const values = Array.from({ length: count }, (_, at) => {
    const random = randomBetween(seed, at, 1, 100);
    return seed === 0 ? (donutStart[at] ?? random) : random;
  });
  return { values, seed };
}

export function PieChartsPage({ query }: ShowcaseProps) {
  const { values, seed } = donutSeries(query);
  const url = (nextSeed: number, count: number) => `?seed=${nextSeed}&count=${count}#donut`;
  const links = {
    Randomize: url((seed % 999_999) + 1, values.length),
    Add: url(seed, Math.min(maxSlices, values.length + 1)),
    // The last series stays.
    Remove: url(seed, Math.max(1, values.length - 1)),
    Reset: "?#donut",
  };
  return (
    <div className={css.pair}>
      <ChartCard title="Simple pie" chart={samples.drawFruit()} />
      <ChartCard title="Donut" chart={samples.drawDonut(values)}>
        <p id="donut" className={css.row}>
          {Object.entries(links).map(([label, href]) => (
            <a key={label} href={href} className={button.default}>
              {label}
            </a>
          ))}
        </p>
      </ChartCard>
    </div>
  );
}
