/** Everything that the dashboard shows, as numbers. */
import { countMachinesByActivity } from "../machines/machines.server";
import { readActivityDays, sumActivity } from "../reports/activity.server";
import type { Period } from "../reports/period";
import { readPeriod } from "../reports/spans.server";
import { withSnapshot } from "../reports/snapshot.server";
import { readPromotionStates } from "./promotion-states.server";

export type DashboardFigures = Awaited<ReturnType<typeof readDashboard>>;

/**
 * Reads the figures of a period, all of one moment.
 * @param now replaces the database's clock, in tests
 */
export async function readDashboard(period: Period, now: Date | null = null) {
  return withSnapshot(async (snapshot) => {
    const spans = await readPeriod(snapshot.trx, period, now);
    const { current, previous } = await readActivityDays(snapshot, spans);
    return {
      spans,
      days: current,
      daysBefore: previous,
      activity: { current: sumActivity(current), previous: sumActivity(previous) },
      ...(await readPromotionStates(snapshot, spans, now)),
      machines: await countMachinesByActivity(snapshot.trx),
    };
  });
}
