/** How something does against a yardstick in the same run, and the bound that it must hold. */
export type Figure = { ratio: number; detail: string } & ({ floor: number } | { ceiling: number });

/** A line of the benchmark's table. */
export type Row = { name: string; measure: () => Promise<Figure> };

export function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}
