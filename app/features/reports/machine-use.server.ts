/** How machines are used now, for their list. */
import { query } from "../../db/connection.server";
import { countRefused } from "../redemptions/refusal-reason";
import { readActivityByMachine } from "./activity.server";
import { readReportSpans } from "./report-spans.server";
import { withSnapshot } from "./summary.server";

export type MachineUse = {
  /** Redemptions of the last 24 hours that were not rolled back. */
  lastDay: number;
  /** Those of today and the six site-local days before. */
  lastWeek: number;
  /** Refused attempts of the same seven days. */
  refused: number;
};

/** Reads how often machines were used, by their ids; those that were not are left out. */
export function readMachineUse(machineIds: readonly string[]): Promise<Map<string, MachineUse>> {
  return withSnapshot(async (snapshot) => {
    const { current } = await readReportSpans(snapshot.trx, { period: "7d", from: null, to: null });
    const week = await readActivityByMachine(snapshot, current, { machineIds });
    const day = await query<{ machineId: string; count: number }>(
      snapshot.trx,
      `select machine_id, count(*)::integer as count from transactions
       where machine_id = any(:machineIds) and created_at > now() - interval '24 hours' and status = 'applied'
       group by machine_id`,
      { machineIds },
    );
    const lastDays = new Map(day.map(({ machineId, count }) => [machineId, count]));
    return new Map(
      week.map(({ machineId, drinks, percentages, refused }) => [
        machineId,
        {
          lastDay: lastDays.get(machineId) ?? 0,
          lastWeek: drinks + percentages,
          refused: countRefused(refused),
        },
      ]),
    );
  });
}
