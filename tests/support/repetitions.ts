/** Whether this is `npm run soak`, which repeats and enlarges what `npm test` tries once. */
export const isSoak = process.env.SOAK === "1";

/** Picks a number of runs, rounds or rows: the first in `npm test`, the second in `npm run soak`. */
export function repetitions(few: number, many: number): number {
  return isSoak ? many : few;
}
