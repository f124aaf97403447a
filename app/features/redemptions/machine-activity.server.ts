/** What happened at one machine: redemptions by day, attempts refused and why, transactions. */
import { db } from "../../db/connection.server";
import { siteTimeZone, startOfDaySql } from "../../db/site.server";
import {
  toTransaction,
  transactionColumns,
  transactionJoins,
  type TransactionRow,
} from "../transactions/list-transactions.server";
import type { Transaction } from "../transactions/transaction";
import {
  maxRefusedAttempts,
  maxTransactions,
  type ActivityDay,
  type ActivityPeriod,
  type ActivityReport,
  type RefusedAttempt,
} from "./machine-activity";
import type { RefusalReason } from "./refusal-reason";

type Rows<Row> = { rows: Row[] };

/**
 * @param period how many days, today among them; a day is the site's, of 23 or 25 hours too
 * @param now only tests pass one
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
    readTransactions(machineId),
  ]);
  return { days, refusals, attempts, transactions };
}

/** The days of the period with their first instant and the first one after them. */
const daysSql = `days as materialized (
  select day, ${startOfDaySql("day")} as begins, ${startOfDaySql("day + 1")} as ends
  from (
    select (coalesce(cast(:now as timestamptz), now()) at time zone :timeZone)::date - ago as day
    from generate_series(0, cast(:period as integer) - 1) as ago
  ) dates
)`;

type Bindings = { machineId: string; period: number; now: Date | null; timeZone: string };

async function countByDay(bindings: Bindings): Promise<ActivityDay[]> {
  const { rows } = await db().raw<Rows<ActivityDay>>(
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
  return rows;
}

async function countRefusals(bindings: Bindings): Promise<ActivityReport["refusals"]> {
  const { rows } = await db().raw<Rows<{ reason: RefusalReason; count: number }>>(
    `with ${daysSql}
     select outcome as reason, count(*)::integer as count from redemption_attempts
     where machine_id = :machineId and outcome <> 'accepted'
       and created_at >= (select min(begins) from days)
       and created_at < (select max(ends) from days)
     group by outcome order by count(*) desc, outcome`,
    bindings,
  );
  return rows;
}

type AttemptRow = {
  id: string;
  created_at: Date;
  code: string;
  outcome: RefusalReason;
  original_price: number;
  promotion_id: string | null;
  promotion_name: string | null;
};

async function readAttempts(machineId: string): Promise<RefusedAttempt[]> {
  const { rows } = await db().raw<Rows<AttemptRow>>(
    `select a.id, a.created_at, a.code, a.outcome, a.original_price, a.promotion_id,
       p.name as promotion_name
     from redemption_attempts a left join promotions p on p.id = a.promotion_id
     where a.machine_id = :machineId and a.outcome <> 'accepted'
     order by a.created_at desc, a.id desc limit ${maxRefusedAttempts}`,
    { machineId },
  );
  return rows.map((row) => ({
    id: row.id,
    at: row.created_at,
    code: row.code,
    promotion:
      row.promotion_id === null ? null : { id: row.promotion_id, name: row.promotion_name! },
    reason: row.outcome,
    originalPrice: row.original_price,
  }));
}

async function readTransactions(machineId: string): Promise<Transaction[]> {
  const { rows } = await db().raw<Rows<TransactionRow>>(
    `select ${transactionColumns} from transactions t ${transactionJoins}
     where t.machine_id = :machineId
     order by t.created_at desc, t.id desc limit ${maxTransactions}`,
    { machineId },
  );
  return rows.map(toTransaction);
}
