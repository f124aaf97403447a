import type { ServerResponse } from "node:http";
import { monitorEventLoopDelay } from "node:perf_hooks";

const MAXIMUM_WAITING = 150;
const MAXIMUM_DELAY_MS = 250;
const WINDOW_MS = 1_000;

/** Turns requests away while more come than can be answered, so that those let in are answered. */
export function loadShedder() {
  let waiting = 0;
  let isSlow = false;

  const delay = monitorEventLoopDelay({ resolution: 20 });
  delay.enable();
  // The median: one long task is no overload, but every turn of the loop being slow is.
  setInterval(() => {
    isSlow = delay.percentile(50) / 1e6 > MAXIMUM_DELAY_MS;
    delay.reset();
  }, WINDOW_MS).unref();

  return {
    isOverloaded: () => isSlow || waiting >= MAXIMUM_WAITING,
    /** @returns to be called when the answer begins; a long download then no longer counts */
    enter(response: ServerResponse): () => void {
      waiting += 1;
      let isWaiting = true;
      const leave = () => {
        if (isWaiting) waiting -= 1;
        isWaiting = false;
      };
      response.once("close", leave);
      return leave;
    },
  };
}
