import { expect } from "vitest";

type Random = {
  below: (limit: number) => number;
  /** Picks at least one element, in any order. */
  some: <Kind>(all: readonly Kind[]) => Kind[];
};

/**
 * Makes 50 changes at once and asserts that none fails, by a deadlock for example.
 * @param change gets a random source that gives the same choices in every run
 */
export async function makeChangesAtOnce(
  seed: number,
  change: (turn: number, random: Random) => Promise<unknown>,
): Promise<void> {
  const below = (limit: number) => (seed = (seed * 48_271) % 2_147_483_647) % limit;
  const some = <Kind>(all: readonly Kind[]) =>
    [...all].sort(() => below(3) - 1).slice(0, 1 + below(all.length));
  const results = await Promise.allSettled(
    Array.from({ length: 50 }, (_, turn) => change(turn, { below, some })),
  );
  expect(results.filter(({ status }) => status === "rejected")).toEqual([]);
}
