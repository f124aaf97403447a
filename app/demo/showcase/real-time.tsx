// Without script: the same picture, and a link to the next point.
import { useState } from "react";
import { formatDate } from "../../format/date";
import { chart } from "../../ui/charts/chart.css";
import { useAreScriptsRunning } from "../../ui/overlay/focus";
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

const [width, height] = [640, 200];

export function RealTimeChart({ start, isPaused }: { start: number; isPaused: boolean }) {
  const [tick, setTick] = useState(start);
  const areScriptsRunning = useAreScriptsRunning();
  useTimer(realTimeEveryMs, { isOff: isPaused, tick: () => setTick((before) => before + 1) });
  const points = pointsFrom(tick);
  const place = ({ value }: Point, at: number) =>
    `${Math.round((at * width) / days)} ${height - 2 * value}`;
  return (
    <>
      <div className={chart}>
        <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-label="Values of the last ten days">
          <path d={`M${points.map(place).join("L")}`} className={css.drawnLine} />
        </svg>
      </div>
      <p>{`${points[0]!.day} to ${points.at(-1)!.day}, last value ${points.at(-1)!.value}`}</p>
      {!areScriptsRunning && (
        <p>
          <a href={`?tick=${tick + 1}#real-time`}>Next point</a>
        </p>
      )}
    </>
  );
}
