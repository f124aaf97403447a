/** The activity of one machine: redemptions by day, refused attempts with reasons, transactions. */
import { db, query } from "../../db/connection.server";
import { siteTimeZone, startOfDaySql } from "../../db/site.server";
import { newestOfMachine } from "../transactions/list-transactions.server";
import {
  maxRefusedAttempts,
  maxTransactions,
  type ActivityDay,
  type ActivityPeriod,
  type ActivityReport,
  type RefusedAttempt,
} from "./machine-activity";

/**
 * @param period the number of days including today; days are the site's, also those of 23 or 25 hours
 * @param now replaces the database's clock, in tests
 */
export async function readMachineActivity(
  machineId: string,
  period: ActivityPeriod,
  now: Date | null = null,
): Promise<ActivityReport> {
  const bindings = { machineId, period, now, timeZone: siteTimeZone() };
  const [days, refusals, attempts, transactions] = await Promise.all([
    countByDay(bindings),
    countRefusals(bindings),
    readAttempts(machineId),
    newestOfMachine(machineId, maxTransactions),
  ]);
  return { days, refusals, attempts, transactions };
}

/** The days of the period, each with its first instant and the first one after it. */
const daysSql = `days as materialized (
  select day, ${startOfDaySql("day")} as begins, ${startOfDaySql("day + 1")} as ends
  from (
    select (coalesce(cast(:now as timestamptz), now()) at time zone :timeZone)::date - ago as day
    from generate_series(0, cast(:period as integer) - 1) as ago
  ) dates
)`;

type Bindings = { machineId: string; period: number; now: Date | null; timeZone: string };

async function countByDay(bindings: Bindings): Promise<ActivityDay[]> {
  return query(
    db(),
    `with ${daysSql}
     select to_char(day, 'YYYY-MM-DD') as day, counted.redemptions, counted.discount
     from days, lateral (
       select count(*)::integer as redemptions, coalesce(sum(t.discount), 0)::float8 as discount
       from transactions t
       where t.machine_id = :machineId and t.created_at >= begins and t.created_at < ends
         and t.status = 'applied'
     ) counted order by days.day`,
    bindings,
  );
}

async function countRefusals(bindings: Bindings): Promise<ActivityReport["refusals"]> {
  return query(
    db(),
    `with ${daysSql}
     select outcome as reason, count(*)::integer as count from redemption_attempts
     where machine_id = :machineId and outcome <> 'accepted'
       and created_at >= (select min(begins) from days)
       and created_at < (select max(ends) from days)
     group by outcome order by count(*) desc, outcome`,
    bindings,
  );
}

async function readAttempts(machineId: string): Promise<RefusedAttempt[]> {
  return query(
    db(),
    `select a.id, a.created_at as at, a.code, a.outcome as reason, a.original_price,
       case when p.id is not null then json_build_object('id', p.id::text, 'name', p.name) end
         as promotion
     from redemption_attempts a left join promotions p on p.id = a.promotion_id
     where a.machine_id = :machineId and a.outcome <> 'accepted'
     order by a.created_at desc, a.id desc limit ${maxRefusedAttempts}`,
    { machineId },
  );
}
