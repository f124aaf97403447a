/** How something does against a yardstick in the same run, and the bound that it must hold. */
export type Figure = { ratio: number; detail: string } & ({ floor: number } | { ceiling: number });

/** Why this machine can't measure something: said, and no failure. */
export type Skipped = { skipped: string };

/** A line of the benchmark's table. */
export type Row = { name: string; measure: () => Promise<Figure | Skipped> };

export function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}
