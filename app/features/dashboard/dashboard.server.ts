/** Everything that the dashboard shows, as numbers. */
import { countMachinesByActivity } from "../machines/machines.server";
import { readActivityDays, sumActivity } from "../reports/activity.server";
import type { Period } from "../reports/period";
import { readPeriod } from "../reports/spans.server";
import { withSnapshot } from "../reports/summary.server";
import { countUsedUp } from "../reports/used-up.server";
import { countExpired, readPromotionStates } from "./promotion-states.server";

export type DashboardFigures = Awaited<ReturnType<typeof readDashboard>>;

/**
 * Reads the figures of a period. Events are of one moment; the promotions' states and the machines are read beside
 * them, so that the largest query waits for none.
 * @param now replaces the database's clock, in tests
 */
export async function readDashboard(period: Period, now: Date | null = null) {
  const states = Promise.all([readPromotionStates(now), countMachinesByActivity()]);
  // Awaited below: a failure must not count as unhandled when the snapshot fails first.
  states.catch(() => {});
  const events = await withSnapshot(async (snapshot) => {
    const spans = await readPeriod(snapshot.trx, period, now);
    const expired = countExpired(spans, now);
    expired.catch(() => {});
    const days = await readActivityDays(snapshot, spans.current);
    const daysBefore = await readActivityDays(snapshot, spans.previous);
    const usedUp = await countUsedUp(snapshot, spans);
    const { current, previous } = await expired;
    return {
      spans,
      days,
      daysBefore,
      activity: { current: sumActivity(days), previous: sumActivity(daysBefore) },
      completed: { current: usedUp.current + current, previous: usedUp.previous + previous },
    };
  });
  const [promotions, machines] = await states;
  return { ...events, promotions, machines };
}
