/** Requests that only ask whether the server answers. */
import { fetchWhole } from "./whole-answer";

const maxDelayMs = 30_000;

/** Asks the server at once whether it answers. */
export function isServerReachable(): Promise<boolean> {
  return fetchWhole("/healthz", { method: "HEAD", cache: "no-store" }).then(
    () => true,
    () => false,
  );
}

/**
 * Asks the server after 1, 2, 4 … 30 s whether it answers, and when the browser comes online. The first answer clears
 * the banner.
 * @returns a function that ends it
 */
export function probeUntilAnswered(): () => void {
  let delayMs = 1_000;
  let timer = setTimeout(probe, delayMs);
  let isEnded = false;

  async function probe() {
    clearTimeout(timer);
    const isReachable = await isServerReachable();
    if (isReachable || isEnded) return;
    delayMs = Math.min(delayMs * 2, maxDelayMs);
    clearTimeout(timer);
    timer = setTimeout(probe, delayMs);
  }

  addEventListener("online", probe);
  return () => {
    isEnded = true;
    clearTimeout(timer);
    removeEventListener("online", probe);
  };
}
