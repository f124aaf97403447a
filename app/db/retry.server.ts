import { setTimeout as delay } from "node:timers/promises";

/** Returned by work that has to run again. */
export const retry = Symbol("retry");

type RetryOptions = {
  maxAttempts: number;
  /** Tells which errors let the work run again; by default none do. */
  isTransient?: (error: unknown) => boolean | Promise<boolean>;
  /** Makes the error that is thrown after the last attempt; by default it is the last of the work. */
  exhausted?: () => Error;
  /** Pause between two attempts. */
  delayMs?: number;
};

/** Runs work again for as long as it returns `retry` or throws a transient error. @param work gets the number of earlier attempts */
export async function runWithRetry<Result>(
  work: (attempt: number) => Promise<Result | typeof retry>,
  { maxAttempts, isTransient = () => false, exhausted, delayMs = 0 }: RetryOptions,
): Promise<Result> {
  let lastError: unknown;
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    if (attempt > 0 && delayMs > 0) await delay(delayMs);
    try {
      const result = await work(attempt);
      if (result !== retry) return result;
    } catch (error) {
      if (!(await isTransient(error))) throw error;
      lastError = error;
    }
  }
  throw exhausted?.() ?? lastError ?? new Error(`Nothing came of ${maxAttempts} attempts`);
}
