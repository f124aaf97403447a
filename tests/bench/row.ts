/** How something does against a yardstick in the same run, and the bound that it must hold. */
export type Figure = { ratio: number; detail: string } & ({ floor: number } | { ceiling: number });

/** Why this machine can't measure something: said, and no failure. */
export type Skipped = { skipped: string };

/** A line of the benchmark's table. */
export type Row = { name: string; measure: () => Promise<Figure | Skipped> };

/** Returns how long a task takes, in seconds. */
export async function secondsOf(task: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await task();
  return (performance.now() - start) / 1_000;
}

type Measure = () => number | Promise<number>;

/** Measures two things in turns. Rounds that warm both up come before those that count. */
export async function inTurns(
  { warmUps = 1, rounds }: { warmUps?: number; rounds: number },
  ours: Measure,
  theirs: Measure,
): Promise<[number[], number[]]> {
  const figures: [number[], number[]] = [[], []];
  for (let round = 0; round < warmUps + rounds; round++) {
    const pair = [await ours(), await theirs()] as const;
    if (round < warmUps) continue;
    for (const side of [0, 1] as const) figures[side].push(pair[side]);
  }
  return figures;
}

/** Returns the median of the ratios of two figures that were measured in the same round. */
export function medianRatio([ours, theirs]: [number[], number[]]): number {
  return median(ours.map((figure, round) => figure / theirs[round]!));
}

export function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}
