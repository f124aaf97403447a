export const progressEveryMs = 1_500;

/**
 * Returns the next value of the determinate bar: less than 10 more, and 0 after 100.
 * @param random from 0 to 1
 */
export function nextProgress(value: number, random: number): number {
  return value >= 100 ? 0 : Math.min(100, value + random * 10);
}
