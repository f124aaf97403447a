/** Everything that the dashboard shows, as numbers. */
import { countMachinesByActivity } from "../machines/machines.server";
import { shareCount } from "../promotions/shared-counts.server";
import { readActivityDays, sumActivity } from "../reports/activity.server";
import type { Period } from "../reports/period";
import { readPeriod, type Spans } from "../reports/spans.server";
import { withSnapshot, type Snapshot } from "../reports/summary.server";
import { countUsedUp, type CompletedPromotions } from "../reports/used-up.server";
import { countExpired, readPromotionStates } from "./promotion-states.server";

export type DashboardFigures = Awaited<ReturnType<typeof readDashboard>>;

/**
 * Reads the figures of a period. Redemptions and refusals are of one moment; what is counted over all codes and the
 * machines are read beside them.
 * @param now replaces the database's clock, in tests
 */
export async function readDashboard(period: Period, now: Date | null = null) {
  const states = Promise.all([
    shareCount("states", () => readPromotionStates(now)),
    countMachinesByActivity(),
  ]);
  // Awaited below: a failure must not count as unhandled when the snapshot fails first.
  states.catch(() => {});
  const events = await withSnapshot(async (snapshot) => {
    const spans = await readPeriod(snapshot.trx, period, now);
    const days = await readActivityDays(snapshot, spans.current);
    const daysBefore = await readActivityDays(snapshot, spans.previous);
    const completed = await shareCount(`completed ${period} ${spans.current.firstDay}`, () =>
      countCompleted(snapshot, spans, now),
    );
    return {
      spans,
      days,
      daysBefore,
      activity: { current: sumActivity(days), previous: sumActivity(daysBefore) },
      completed,
    };
  });
  const [promotions, machines] = await states;
  return { ...events, promotions, machines };
}

async function countCompleted(
  snapshot: Snapshot,
  spans: Spans,
  now: Date | null,
): Promise<CompletedPromotions> {
  const [usedUp, expired] = await Promise.all([
    countUsedUp(snapshot, spans),
    countExpired(spans, now),
  ]);
  return {
    current: usedUp.current + expired.current,
    previous: usedUp.previous + expired.previous,
  };
}
