/** Everything that the dashboard shows, as numbers. */
import { countMachinesByActivity } from "../machines/machines.server";
import { readActivityDays, sumActivity } from "../reports/activity.server";
import type { Period } from "../reports/period";
import { readPeriod, type Spans } from "../reports/spans.server";
import { withSnapshot, type Snapshot } from "../reports/summary.server";
import { countUsedUp, type CompletedPromotions } from "../reports/used-up.server";
import { countExpired, readPromotionStates } from "./promotion-states.server";

export type DashboardFigures = Awaited<ReturnType<typeof readDashboard>>;

/**
 * Reads the figures of a period, all of one moment.
 * @param now replaces the database's clock, in tests
 */
export async function readDashboard(period: Period, now: Date | null = null) {
  return withSnapshot(async (snapshot) => {
    const spans = await readPeriod(snapshot.trx, period, now);
    const days = await readActivityDays(snapshot, spans.current);
    const daysBefore = await readActivityDays(snapshot, spans.previous);
    return {
      spans,
      days,
      daysBefore,
      activity: { current: sumActivity(days), previous: sumActivity(daysBefore) },
      completed: await countCompleted(snapshot, spans, now),
      promotions: await readPromotionStates(snapshot, now),
      machines: await countMachinesByActivity(snapshot.trx),
    };
  });
}

async function countCompleted(
  snapshot: Snapshot,
  spans: Spans,
  now: Date | null,
): Promise<CompletedPromotions> {
  const usedUp = await countUsedUp(snapshot, spans);
  const expired = await countExpired(snapshot, spans, now);
  return {
    current: usedUp.current + expired.current,
    previous: usedUp.previous + expired.previous,
  };
}
