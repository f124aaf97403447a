import { useEffect, useRef } from "react";

/**
 * Calls `tick` in regular intervals, with one timer. A hidden tab and `isOff` stop it.
 * @param every in ms
 */
export function useTimer(
  every: number,
  { isOff, tick }: { isOff: boolean; tick: () => void },
): void {
  const latest = useRef(tick);
  useEffect(() => {
    latest.current = tick;
  });
  useEffect(() => {
    if (isOff) return;
    let timer: ReturnType<typeof setInterval> | undefined;
    function startOrStop() {
      clearInterval(timer);
      if (!document.hidden) timer = setInterval(() => latest.current(), every);
    }
    startOrStop();
    document.addEventListener("visibilitychange", startOrStop);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", startOrStop);
    };
  }, [every, isOff]);
}
