/** Whether this is `npm run soak`, which repeats and enlarges what `npm test` tries once. */
export const isSoak = process.env.SOAK === "1";

/** Picks a number of runs, rounds or rows: the first in `npm test`, the second in `npm run soak`. */
export function repetitions(few: number, many: number): number {
  return isSoak ? many : few;
}

/** Leaves a test, or a group of tests, to `npm run soak`; `npm test` tries the same mechanism once elsewhere. */
export function inSoak<Test extends (...args: never[]) => unknown>(test: Test): Test {
  return isSoak ? test : ((() => {}) as unknown as Test);
}
