// Without script: the same picture, and a link to the next point.
import { useState } from "react";
import { formatDate } from "../../format/date";
import { ButtonLink } from "../../ui/form/button";
import { cardSection } from "../../ui/layout/layout.css";
import { Card } from "../../ui/layout/page";
import { useAreScriptsRunning } from "../../ui/overlay/focus";
import { muted } from "#styles/global.css";
import * as css from "../demo.css";
import { randomBetween } from "../random";
import { useTimer } from "../use-timer";

const everyMs = 1_000;
const dayMs = 86_400_000;
/** Days between the first and the last point: 777,600,000 ms. */
const days = 9;
const firstDay = Date.UTC(2026, 0, 1);

/** The points of a window that begins `tick` days after the first one. */
const pointsFrom = (tick: number) =>
  Array.from({ length: days + 1 }, (_, at) => ({
    day: formatDate(new Date(firstDay + (tick + at) * dayMs), "UTC"),
    value: randomBetween(7, tick + at, 10, 90),
  }));

/** Figures at the grid lines, from above. */
const steps = [100, 50, 0];

export function RealTimeChart({ start, isPaused }: { start: number; isPaused: boolean }) {
  const [tick, setTick] = useState(start);
  const areScriptsRunning = useAreScriptsRunning();
  useTimer(everyMs, isPaused, () => setTick((before) => before + 1));
  const points = pointsFrom(tick);
  const [first, last] = [points[0]!, points.at(-1)!];
  return (
    <Card className={cardSection}>
      <h2 id="real-time">Real-time</h2>
      <p className={muted}>Random values of ten days</p>
      <div className={css.plot}>
        <div aria-hidden="true" className={css.plotSteps}>
          {steps.map((step) => (
            <span key={step}>{step}</span>
          ))}
        </div>
        <svg
          viewBox={`0 0 ${days} 100`}
          preserveAspectRatio="none"
          role="img"
          aria-label={`Values: ${points.map(({ value }) => value).join(", ")}`}
        >
          <path d={steps.map((step) => `M0 ${step}h${days}`).join("")} className={css.gridLine} />
          <path
            d={`M${points.map(({ value }, at) => `${at} ${100 - value}`).join("L")}`}
            className={css.drawnLine}
          />
        </svg>
      </div>
      <p>{`${first.day} to ${last.day}, last value ${last.value}`}</p>
      <p>
        {areScriptsRunning ? (
          <ButtonLink to={isPaused ? "?#real-time" : "?paused=1#real-time"} preventScrollReset>
            {isPaused ? "Resume" : "Pause"}
          </ButtonLink>
        ) : (
          <ButtonLink to={`?tick=${tick + 1}#real-time`}>Next point</ButtonLink>
        )}
      </p>
    </Card>
  );
}
