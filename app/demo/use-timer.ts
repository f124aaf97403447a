import { useEffect, useRef } from "react";

/**
 * Calls a function in regular intervals, with one timer. A hidden tab and `isPaused` stop it.
 */
export function useTimer(everyMs: number, isPaused: boolean, onTick: () => void): void {
  const latest = useRef(onTick);
  latest.current = onTick;
  useEffect(() => {
    if (isPaused) return;
    const timer = setInterval(() => document.hidden || latest.current(), everyMs);
    return () => clearInterval(timer);
  }, [everyMs, isPaused]);
}
