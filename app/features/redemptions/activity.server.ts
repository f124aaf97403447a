import { isAtHandSql } from "../../db/archived-months.server";
import { db, one, query } from "../../db/connection.server";
import { formatDateTime } from "../../format/date";
import { formatCents } from "../../format/money";
import { formatNumber } from "../../format/number";
import type { ReachableCap } from "../caps/cap";
import { siteFormat } from "../settings/settings.server";
import { describeRefusal, type RefusalReason } from "./refusal-reason";
import { nowSql, siteTimeZone, startOfDaySql } from "../../db/site.server";
import { newestOfMachine } from "../transactions/list-transactions.server";
import {
  maxRefusedAttempts,
  maxTransactions,
  type ActivityDay,
  type ActivityPeriod,
  type RefusedAttempt,
} from "./machine-activity";

export type CodeEvent = Awaited<ReturnType<typeof codeActivity>>[number];

export const maxEvents = 25;

/** Prepared statements: planning one of them takes 2 ms with a year of partitions, more than its execution. */
const prepared = { isPrepared: true };

/** `serialNumber` is as the client sent it, `discount` null if the attempt was refused. */
type EventRow = {
  key: string;
  createdAt: Date;
  serialNumber: string;
  /** null if no machine has that serial number. */
  humanName: string | null;
  originalPrice: number;
  discount: number | null;
  outcome: "applied" | "rolled_back" | RefusalReason;
  cap: ReachableCap | null;
};

/**
 * Lists the last redemptions and the last refused attempts of a code, newest first. Each part reads
 * the end of an index, so that the cost doesn't grow with the uses of a code.
 */
export async function codeActivity(promotionId: string) {
  const { timeZone, currency } = siteFormat();
  const rows = await query<EventRow>(
    db(),
    `(select 't' || t.id as key, t.created_at, m.serial_number, m.human_name, t.original_price,
        t.discount, t.status as outcome, null as cap
      from transactions t join machines m on m.id = t.machine_id
      where t.promotion_id = :promotionId
      order by t.created_at desc, t.id desc limit ${maxEvents})
     union all
     (select 'a' || a.id, a.created_at, a.serial_number, m.human_name, a.original_price, null,
        a.outcome, a.cap
      from redemption_attempts a left join machines m on m.id = a.machine_id
      where a.promotion_id = :promotionId and a.outcome <> 'accepted'
      order by a.created_at desc, a.id desc limit ${maxEvents})
     order by created_at desc, key desc limit ${maxEvents}`,
    { promotionId },
    prepared,
  );
  return rows.map(({ key, serialNumber, humanName, createdAt, originalPrice, ...row }) => {
    const { discount, outcome, cap } = row;
    const isAccepted = outcome === "applied" || outcome === "rolled_back";
    return {
      key,
      occurredAt: formatDateTime(createdAt, timeZone),
      serialNumber,
      /** Name of the machine, else its serial number; null for a machine that is not known here. */
      machine: humanName === null ? null : humanName || serialNumber,
      outcome: isAccepted ? outcome : ("refused" as const),
      reason: isAccepted ? null : describeRefusal(outcome, cap).toLowerCase(),
      price: formatCents(originalPrice, currency),
      paid: discount === null ? null : formatCents(originalPrice - discount, currency),
    };
  });
}

/** Figures of a code that is used often are about its newest uses: reading more takes too long. */
const maxSummed = 10_000;

/**
 * Sums up the newest transactions of a code and its refused attempts of the last 30 days. Each part
 * reads the end of an index. Archived transactions have sums of a single promotion, but not of a code of a mass generation.
 */
export async function codeFigures(promotionId: string) {
  const row = await one<{ discount: number; summed: number; refused: number; isCapped: boolean }>(
    db(),
    `select coalesce(t.discount, 0) + case when t.summed < ${maxSummed} then (
         select coalesce(sum(archived.discount), 0)::float8 from archived_campaign_activity archived
         where archived.campaign_id = :promotionId) else 0 end as discount,
       t.summed, a.refused, a.refused = ${maxSummed} as is_capped
     from (select sum(discount) filter (where status = 'applied')::float8 as discount,
         count(*)::integer as summed
       from (select discount, status from transactions
         where promotion_id = :promotionId and ${isAtHandSql("created_at")}
         order by created_at desc, id desc limit ${maxSummed}) newest) t,
       (select count(*)::integer as refused
       from (select from redemption_attempts where promotion_id = :promotionId and outcome <> 'accepted'
         and created_at > now() - interval '30 days' limit ${maxSummed}) newest) a`,
    { promotionId },
    prepared,
  );
  const { discount, summed, refused, isCapped } = row!;
  return {
    discount: formatCents(discount, siteFormat().currency),
    discountNote: summed === maxSummed ? `in the last ${formatNumber(maxSummed)} uses` : "",
    refused: `${formatNumber(refused)}${isCapped ? "+" : ""}`,
  };
}

export type ActivityReport = Awaited<ReturnType<typeof readMachineActivity>>;

/**
 * Reads the redemptions by day of a period, and the newest attempts and transactions of all times.
 * @param period the number of days including today; days are the site's, also those of 23 or 25 hours
 * @param now replaces the database's clock, in tests
 */
export async function readMachineActivity(
  machineId: string,
  period: ActivityPeriod,
  now: Date | null = null,
) {
  const [days, attempts, transactions] = await Promise.all([
    query<ActivityDay>(
      db(),
      countByDaySql,
      { machineId, period, now, timeZone: siteTimeZone() },
      prepared,
    ),
    query<RefusedAttempt>(db(), attemptsSql, { machineId }, prepared),
    newestOfMachine(machineId, maxTransactions),
  ]);
  return { days, attempts, transactions };
}

/** Counts by days, each of which has its first instant and the first one after it. */
const countByDaySql = `with days as materialized (
    select day, ${startOfDaySql("day")} as begins, ${startOfDaySql("day + 1")} as ends
    from (
      select (${nowSql} at time zone :timeZone)::date - ago as day
      from generate_series(0, cast(:period as integer) - 1) as ago
    ) dates
  )
  select to_char(day, 'YYYY-MM-DD') as day, counted.redemptions, counted.discount
  from days, lateral (
    select count(*)::integer as redemptions, coalesce(sum(t.discount), 0)::float8 as discount
    from transactions t
    where t.machine_id = :machineId and t.created_at >= begins and t.created_at < ends
      and t.status = 'applied'
  ) counted order by days.day`;

const attemptsSql = `select a.id, a.created_at as attempted_at, a.code, a.outcome as reason, a.cap, a.original_price,
    case when p.id is not null then json_build_object('id', p.id::text, 'name', p.name) end
      as promotion
  from redemption_attempts a left join promotions p on p.id = a.promotion_id
  where a.machine_id = :machineId and a.outcome <> 'accepted'
  order by a.created_at desc, a.id desc limit ${maxRefusedAttempts}`;
