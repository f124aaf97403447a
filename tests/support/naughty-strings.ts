import all from "big-list-of-naughty-strings/blns.json" with { type: "json" };
import { isSoak } from "./repetitions";

/** The Big List of Naughty Strings: input that has broken programs before. */
export const naughtyStrings = all as string[];

/**
 * Picks every n-th of the strings, or all of them in `npm run soak`. Callers that start at different
 * indexes see different strings.
 */
export function everyNth(n: number, strings = naughtyStrings, start = 0): string[] {
  return isSoak ? strings : strings.filter((_, index) => index % n === start % n);
}
