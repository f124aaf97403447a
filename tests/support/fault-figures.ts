import { isSoak } from "./repetitions";

/** Prints what a run of the soak measured or counted for a row of `tests/faults/README.md`. */
export function reportFigures(fault: `F${number}`, text: string): void {
  if (isSoak) console.log(`${fault}: ${text}`);
}

export const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;

/** Returns the value that a share of the values does not exceed; 0 of none. */
export const percentile = (values: readonly number[], share: number) =>
  values.toSorted((a, b) => a - b)[Math.ceil(values.length * share) - 1] ?? 0;

export const megabytes = (bytes: number) => `${Math.round(bytes / 1_024 / 1_024)} MB`;

/** Returns how often each value occurs, as "12 × 200, 3 × 503". */
export function tally(values: readonly (string | number)[]): string {
  const counts = new Map<string | number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].map(([value, count]) => `${count} × ${value}`).join(", ");
}
