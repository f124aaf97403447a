import { setTimeout as delay } from "node:timers/promises";
import { percentile } from "./fault-figures";
import { send } from "./server";

/**
 * Opens pages, and notes what must not happen.
 * @param options.pauseMs how long each reader waits between two pages
 */
export function startPageReaders(
  origin: string,
  { cookie, pauseMs = 20 }: { cookie: string; pauseMs?: number },
) {
  const paths = ["/login", "/app/qr-list", "/app/transactions", "/app/dashboard"];
  const violations: string[] = [];
  let pages = 0;
  let unanswered = 0;
  let unavailable = 0;
  /** How long each answer took, in ms. */
  const durations: number[] = [];
  let isRunning = true;

  async function open(path: string) {
    // The sign-in page sends signed-in people home.
    const answer = await send(origin, path, path === "/login" ? {} : { cookie }).catch(() => null);
    if (!answer) {
      unanswered += 1;
      return;
    }
    durations.push(answer.duration);
    if (answer.status === 503) unavailable += 1;
    if (answer.status === 200) pages += 1;
    else if (answer.status !== 503 || answer.headers["retry-after"] === undefined)
      violations.push(`${path}: ${answer.status} ${answer.body.slice(0, 300)}`);
  }

  const running = Promise.all(
    paths.map(async (path) => {
      while (isRunning) {
        await open(path);
        await delay(pauseMs);
      }
    }),
  );
  return {
    violations,
    /** How many pages were shown. */
    pages: () => pages,
    unanswered: () => unanswered,
    /** How often a page was answered 503. */
    unavailable: () => unavailable,
    slowestMs: () => durations.reduce((one, other) => Math.max(one, other), 0),
    /** The time in ms within which 99 % of the answers came. */
    p99Ms: () => percentile(durations, 0.99),
    async stop() {
      isRunning = false;
      await running;
    },
  };
}
