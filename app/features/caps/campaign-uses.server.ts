/** Sums up what a campaign gave before its caps were set (RULES U6). */
import type { Knex } from "knex";
import { isAtHandSql } from "../../db/archived-months.server";
import { one } from "../../db/connection.server";
import { nowSql, siteTimeZone, startOfDaySql } from "../../db/site.server";
import { withTimeouts } from "../../db/timeouts.server";
import type { CampaignRef } from "../activity/subject";

/** Redemptions that were not rolled back, and their discount in cents. */
export type UseSums = { uses: number; money: number };

export const noUses: UseSums = { uses: 0, money: 0 };

/** Redemptions of a campaign `:id` that were not rolled back. */
export const redemptionsSql = {
  promotion: "from transactions t where t.promotion_id = :id and t.status = 'applied'",
  mass_generation: `from transactions t join promotions p on p.id = t.promotion_id
    where p.mass_generation_id = :id and t.status = 'applied'`,
};

const archivedIdSql = {
  promotion: "cast(:id as bigint)",
  mass_generation: "-cast(:id as bigint)",
};

export const todaySql = `cast(${nowSql} at time zone :timeZone as date)`;
export const startOfTodaySql = startOfDaySql(todaySql);

/**
 * Before this time nothing changes any more: a redemption is rolled back within 10 minutes, and one that is still on its
 * way has begun since. It is the same for all statements of a transaction.
 */
const earlierUntilSql = `(${nowSql} - interval '1 hour')`;

const sumsSql = (type: CampaignRef["type"]) =>
  `select count(*)::integer as uses, coalesce(sum(t.discount), 0)::double precision as money
   ${redemptionsSql[type]}`;

/** Sums up all but the last hour. It reads the transactions of all months, so it comes before the locks of its transaction. */
export async function sumEarlierUses(
  trx: Knex.Transaction,
  { type, id }: CampaignRef,
  now: Date | null,
): Promise<UseSums> {
  const sum = () =>
    one<UseSums>(
      trx,
      `select (stored.uses + archived.uses)::integer as uses, stored.money + archived.money as money
     from (${sumsSql(type)} and t.created_at < ${earlierUntilSql} and ${isAtHandSql("t.created_at")}) stored,
       (select coalesce(sum(a.redemptions), 0) as uses, coalesce(sum(a.discount), 0)::double precision as money
       from archived_campaign_activity a where a.campaign_id = ${archivedIdSql[type]}) archived`,
      { id, now },
    );
  return (await withTimeouts(trx, { statementTimeout: "60s" }, sum))!;
}

/** Sums up what `sumEarlierUses` left out, in the same transaction and with the same `now`. */
export async function sumRecentUses(
  trx: Knex.Transaction,
  { type, id }: CampaignRef,
  now: Date | null,
): Promise<UseSums> {
  const row = await one<UseSums>(trx, `${sumsSql(type)} and t.created_at >= ${earlierUntilSql}`, {
    id,
    now,
  });
  return row!;
}

/** @param now the time that caps are set at, which can be another day than that at which the transaction began */
export async function countUsesOfDay(
  trx: Knex.Transaction,
  { type, id }: CampaignRef,
  now: Date,
): Promise<number> {
  const row = await one<{ uses: number }>(
    trx,
    `select count(*)::integer as uses ${redemptionsSql[type]} and t.created_at >= ${startOfTodaySql}`,
    { id, now, timeZone: siteTimeZone() },
  );
  return row!.uses;
}
