/** How something does against a yardstick in the same run, and the bound that it must hold. */
export type Figure = { ratio: number; detail: string } & ({ floor: number } | { ceiling: number });

/** Why this machine can't measure something: said, and no failure. */
export type Skipped = { skipped: string };

/** A line of the benchmark's table. */
export type Row = { name: string; measure: () => Promise<Figure | Skipped> };

/**
 * Measures and prints every row, or those whose name contains one of the words.
 * @returns whether all bounds hold
 */
export async function runRows(rows: readonly Row[], words: readonly string[]): Promise<boolean> {
  const isChosen = ({ name }: Row) =>
    words.length === 0 || words.some((word) => name.toLowerCase().includes(word.toLowerCase()));
  const chosen = rows.filter(isChosen);
  if (chosen.length === 0) throw new Error(`No row is called ${words.join(" or ")}`);
  let holds = true;
  for (const row of chosen) {
    try {
      if (!(await printRow(row))) holds = false;
    } catch (error) {
      holds = false;
      console.log(`FAIL           ${row.name}`);
      console.log(
        `                         ${error instanceof Error ? error.message.slice(-200) : error}`,
      );
    }
  }
  return holds;
}

/** @returns whether the bound holds, or could not be measured here */
async function printRow({ name, measure }: Row): Promise<boolean> {
  const figure = await measure();
  if ("skipped" in figure) {
    console.log(`skip           ${name}`);
    console.log(`                         ${figure.skipped}`);
    return true;
  }
  const { ratio, detail } = figure;
  const isFloor = "floor" in figure;
  const bound = isFloor ? figure.floor : figure.ceiling;
  const holds = isFloor ? ratio >= bound : ratio <= bound;
  const words = `${holds ? "ok  " : "FAIL"} ${ratio.toFixed(2).padStart(8)}`;
  console.log(`${words}  ${isFloor ? "≥" : "≤"} ${String(bound).padEnd(5)} ${name}`);
  console.log(`                         ${detail}`);
  return holds;
}

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
