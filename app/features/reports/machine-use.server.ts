/** How machines are used now, for their list. */
import { db, query, type Database } from "../../db/connection.server";
import { countRefused } from "../redemptions/refusal-reason";
import { redemptionsOf, type ActivityDay } from "./activity";
import { readActivityByMachine, readActivityDays } from "./activity.server";
import { maxRefusedPercent, minAttempts } from "./refusal-rate";
import { readSpans, type PeriodSpans } from "./spans.server";
import { withSnapshot } from "./snapshot.server";

export type MachineUse = {
  /** Redemptions of the last 24 hours that were not rolled back. */
  lastDay: number;
  /** Those of today and the six site-local days before. */
  lastWeek: number;
  /** Refused attempts of the same seven days. */
  refused: number;
  /** The first of these days, YYYY-MM-DD. */
  firstDay: string;
};

/** Reads the seven site-local days up to today, over which the use of machines is counted. */
export const readWeek = () => readLastDays(db(), 7);

/**
 * Reads how often machines were used, by their ids; those that were not are left out.
 * @param week of `readWeek`. Its clock is bound, not `now()`: PostgreSQL plans no month that is over
 */
export async function readMachineUse(
  machineIds: readonly string[],
  { now, current }: PeriodSpans,
): Promise<Map<string, MachineUse>> {
  const [day, week] = await Promise.all([
    query<{ machineId: string; count: number }>(
      db(),
      `select machine_id, count(*)::integer as count from transactions
       where machine_id = any(:machineIds) and created_at > :dayAgo and status = 'applied'
       group by machine_id`,
      { machineIds, dayAgo: new Date(now.getTime() - 24 * 60 * 60_000) },
      { isPrepared: true },
    ),
    withSnapshot((snapshot) =>
      readActivityByMachine(snapshot, current, { machineIds, generationId: null }),
    ),
  ]);
  const lastDays = new Map(day.map(({ machineId, count }) => [machineId, count]));
  return new Map(
    week.map(({ machineId, ...activity }) => [
      machineId,
      {
        lastDay: lastDays.get(machineId) ?? 0,
        lastWeek: redemptionsOf(activity),
        refused: countRefused(activity.refused),
        firstDay: current.firstDay,
      },
    ]),
  );
}

/**
 * Selects the machines that refused often in the last 24 hours (RULES D8), by their ids: further attempts change no place.
 * Refusals are counted in their index alone, redemptions only of machines with enough refusals.
 */
const refusingSql = `
  select m.id, m.serial_number, m.human_name, m.is_deleted, refused::integer as refused,
    (refused + redeemed)::integer as attempts
  from machines m
    cross join lateral (
      select count(*) from redemption_attempts a
      where a.machine_id = m.id and a.outcome <> 'accepted' and a.created_at > now() - interval '24 hours'
    ) refusals (refused)
    cross join lateral (
      select count(*) from transactions t
      where refused * 100 > ${minAttempts * maxRefusedPercent} and t.machine_id = m.id and t.status = 'applied' and t.created_at > now() - interval '24 hours'
    ) uses (redeemed)
  where refused + redeemed >= ${minAttempts} and refused * 100 > (refused + redeemed) * ${maxRefusedPercent}
  order by m.id`;

export type RefusingMachine = {
  id: string;
  serialNumber: string;
  humanName: string;
  isDeleted: boolean;
  refused: number;
  attempts: number;
};

export function listRefusing(): Promise<RefusingMachine[]> {
  return query(db(), refusingSql);
}

/**
 * Reads the days of a machine on which anything happened.
 * @param period the number of site-local days including today
 */
export function readMachineDays(
  machineId: string,
  period: number,
  now: Date | null = null,
): Promise<ActivityDay[]> {
  return withSnapshot(async (snapshot) => {
    const spans = await readLastDays(snapshot.trx, period, now);
    return (
      await readActivityDays(snapshot, spans, { machineIds: [machineId], generationId: null })
    ).current;
  });
}

/** Reads the span of some site-local days including today, and an empty one before them. */
function readLastDays(database: Database, period: number, now: Date | null = null) {
  const days = { firstDay: "today - cast(:period as integer) + 1", endDay: "today + 1" };
  return readSpans(database, days, { now, period });
}
