import { setTimeout as delay } from "node:timers/promises";
import { DatabaseSilentError } from "../db/database-errors.server";

const checkAfterMs = 1_000;
const checkTimeoutMs = 2_000;

/**
 * Makes a function that settles as its promise does, or rejects with DatabaseSilentError once the
 * database doesn't answer a check while the promise is pending. A hung database reports no error, and
 * a limit on time alone would also end work that is slow and healthy.
 * @param isAlive checked each second for all pending promises together
 */
export function watchDatabase(isAlive: () => Promise<boolean>) {
  let current: Promise<boolean> | null = null;
  const check = () =>
    (current ??= resolveWithin(checkTimeoutMs, isAlive(), false).finally(() => (current = null)));

  return async function whileDatabaseAnswers<Result>(work: Promise<Result>): Promise<Result> {
    let timer: NodeJS.Timeout;
    let isPending = true;
    const silence = new Promise<never>((_resolve, reject) => {
      const checkLater = () => {
        timer = setTimeout(async () => {
          if (!(await check())) reject(new DatabaseSilentError());
          else if (isPending) checkLater();
        }, checkAfterMs);
      };
      checkLater();
    });
    try {
      return await Promise.race([work, silence]);
    } finally {
      isPending = false;
      clearTimeout(timer!);
    }
  };
}

/** Resolves as `work` does, but to the fallback if it rejects or takes longer. */
export async function resolveWithin<Result>(
  milliseconds: number,
  work: Promise<Result>,
  fallback: Result,
): Promise<Result> {
  const timeout = new AbortController();
  const late = delay(milliseconds, fallback, timeout).catch(() => fallback);
  return Promise.race([work.catch(() => fallback), late]).finally(() => timeout.abort());
}
