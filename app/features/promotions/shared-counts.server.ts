/**
 * Counts over all codes, which take long, shared by all who ask for them: redemptions need the database, too. At most
 * one of a kind runs at a time, and its result serves for some times as long as it took (RULES D5). What people do
 * counts at once.
 */
import { latestActionId } from "../activity/audit-log.server";

const longestReuse = 30_000;
let factor = 0;

/** Sets for how many times the duration of a count its result serves. Without it nothing is shared. */
export function reuseCounts(times: number): void {
  factor = times;
}

/** `until` is a time of `performance.now()`. */
type SharedCount = { counting: Promise<unknown>; until: number };
const shared = new Map<string, SharedCount>();

/** @param key names what is counted, with all that it depends on but the codes and the time */
export async function shareCount<Count>(key: string, count: () => Promise<Count>): Promise<Count> {
  if (factor === 0) return count();
  const name = `${key} after ${await latestActionId()}`;
  const start = performance.now();
  for (const [other, { until }] of shared) if (until < start) shared.delete(other);
  const known = shared.get(name);
  if (known) return (await known.counting) as Count;
  const counting = count();
  const entry = { counting, until: Infinity };
  shared.set(name, entry);
  try {
    const result = await counting;
    const end = performance.now();
    entry.until = end + Math.min(factor * (end - start), longestReuse);
    return result;
  } catch (error) {
    shared.delete(name);
    throw error;
  }
}
