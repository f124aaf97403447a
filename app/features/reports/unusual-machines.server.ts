/** Machines that behave unlike before, for alerts. */
import { db, query } from "../../db/connection.server";
import { siteTimeZone, startOfDaySql } from "../../db/site.server";
import { countRefused } from "../redemptions/refusal-reason";
import { readActivityByMachine } from "./activity.server";
import { listRefusing, type RefusingMachine } from "./machine-use.server";
import { readSpans } from "./spans.server";
import { withSnapshot } from "./snapshot.server";

/** A machine that refuses at least this many times as often as before. */
const minRatio = 2;

/** Adds the attempts of the 28 site-local days that ended before the last 24 hours. */
export type UnusualRefusals = RefusingMachine & {
  before: { refused: number; attempts: number };
};

/** Lists the machines that refuse often (RULES D8), and at least twice as often as in the 28 days before, by their ids. */
export async function listUnusualRefusals(): Promise<UnusualRefusals[]> {
  const machines = (await listRefusing()).filter(({ isDeleted }) => !isDeleted);
  if (machines.length === 0) return [];
  const before = await withSnapshot(async (snapshot) => {
    const days = { firstDay: "today - 29", endDay: "today - 1" };
    const { current } = await readSpans(snapshot.trx, days, { now: null });
    const machineIds = machines.map(({ id }) => id);
    return readActivityByMachine(snapshot, current, { machineIds, generationId: null });
  });
  const counts = new Map(
    before.map(({ machineId, drinks, percentages, refused }) => {
      const count = countRefused(refused);
      return [machineId, { refused: count, attempts: drinks + percentages + count }];
    }),
  );
  return machines
    .map((machine) => ({
      ...machine,
      before: counts.get(machine.id) ?? { refused: 0, attempts: 0 },
    }))
    .filter(
      ({ refused, attempts, before }) =>
        refused * before.attempts >= minRatio * before.refused * attempts,
    );
}

export type SilentMachine = {
  id: string;
  serialNumber: string;
  humanName: string;
  lastUsedAt: Date;
};

const [minDays, ofDays] = [5, 7];

/**
 * Lists machines without a redemption for 24 hours that had some on 5 of the 7 site-local days which end with the last
 * one. What has been silent for 30 days is no news.
 */
export async function listSilentMachines(limit: number): Promise<SilentMachine[]> {
  return query(
    db(),
    `select m.id, m.serial_number, m.human_name, m.last_qr_used_at as last_used_at
     from machines m, lateral (
       select count(*) as days
       from generate_series(0, ${ofDays - 1}) as ago, lateral (
         select (m.last_qr_used_at at time zone :timeZone)::date - ago as day) local
       where exists (select from transactions t
         where t.machine_id = m.id and t.status = 'applied'
           and t.created_at >= ${startOfDaySql("local.day")} and t.created_at < ${startOfDaySql("local.day + 1")})
     ) used
     where not m.is_deleted and m.last_qr_used_at < now() - interval '24 hours'
       and m.last_qr_used_at > now() - interval '30 days' and used.days >= ${minDays}
     order by m.last_qr_used_at desc, m.id limit :limit`,
    { timeZone: siteTimeZone(), limit },
  );
}
