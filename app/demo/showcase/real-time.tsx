// Without script: the same picture, and a link to the next point.
import { useState } from "react";
import { formatDate } from "../../format/date";
import { ButtonLink } from "../../ui/form/button";
import { Icon } from "../../ui/icon/icon";
import { summary } from "../../ui/layout/layout.css";
import { useAreScriptsRunning } from "../../ui/overlay/focus";
import { Table } from "../../ui/table/table";
import { muted } from "#styles/global.css";
import * as css from "./pages.css";
import { randomBetween } from "./random";
import { useTimer } from "./use-timer";

export const realTimeEveryMs = 1_000;
const dayMs = 86_400_000;
/** Days that the chart shows at once: 777,600,000 ms. */
const days = 9;
const firstDay = Date.UTC(2026, 0, 1);

type Point = { day: string; value: number };

/** The points of a window that begins `tick` days after the first one. */
export function pointsFrom(tick: number): Point[] {
  return Array.from({ length: days + 1 }, (_, at) => ({
    day: formatDate(new Date(firstDay + (tick + at) * dayMs), "UTC"),
    value: randomBetween(7, tick + at, 10, 90),
  }));
}

/** Figures at the grid lines, from above. */
const steps = [100, 50, 0];
const gridLines = steps.map((value) => `M0 ${100 - value}h${days + 1}`).join("");

export function RealTimeChart({ start, isPaused }: { start: number; isPaused: boolean }) {
  const [tick, setTick] = useState(start);
  const areScriptsRunning = useAreScriptsRunning();
  useTimer(realTimeEveryMs, { isOff: isPaused, tick: () => setTick((before) => before + 1) });
  const points = pointsFrom(tick);
  // In the middle of its day, as in the charts that are drawn on the server.
  const places = points.map(({ value }, at) => `${at + 0.5} ${100 - value}`);
  return (
    <>
      <p className={muted}>Random values of ten days</p>
      <div className={css.plot}>
        <div aria-hidden="true" className={css.plotSteps}>
          {steps.map((step) => (
            <span key={step}>{step}</span>
          ))}
        </div>
        <svg
          viewBox={`0 0 ${days + 1} 100`}
          preserveAspectRatio="none"
          role="img"
          aria-label="Values of ten days"
        >
          <path d={gridLines} className={css.gridLine} />
          <path d={`M${places.join("L")}`} className={css.drawnLine} />
          <path d={places.map((place) => `M${place}h0`).join("")} className={css.drawnDots} />
        </svg>
        <div aria-hidden="true" className={css.plotDays}>
          {points.map(({ day }, at) => (
            <span key={day}>{at % 3 === 0 && day.slice(0, 6)}</span>
          ))}
        </div>
      </div>
      <p>{`${points[0]!.day} to ${points.at(-1)!.day}, last value ${points.at(-1)!.value}`}</p>
      <p>
        {areScriptsRunning ? (
          <ButtonLink to={isPaused ? "?#real-time" : "?paused=1#real-time"} preventScrollReset>
            {isPaused ? "Resume" : "Pause"}
          </ButtonLink>
        ) : (
          <ButtonLink to={`?tick=${tick + 1}#real-time`}>Next point</ButtonLink>
        )}
      </p>
      <details>
        <summary className={summary}>
          <Icon name="chevron-down" size="small" /> Show as a table
        </summary>
        <Table
          id="real-time-table"
          caption="Random values of ten days"
          fits
          rows={points}
          rowKey="day"
          columns={[
            { heading: "Day", isRowHeader: true, cell: ({ day }) => day },
            { heading: "Value", isNumber: true, cell: ({ value }) => value },
          ]}
        />
      </details>
    </>
  );
}
