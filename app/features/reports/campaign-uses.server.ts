/** Campaigns whose uses come to an end, for alerts. */
import { query } from "../../db/connection.server";
import { siteTimeZone } from "../../db/site.server";
import type { CampaignRef } from "../activity/subject";
import { generationUsesSql } from "./results.server";
import { withSnapshot } from "./snapshot.server";

export type CampaignUses = CampaignRef & { name: string; uses: number; used: number };

/** A campaign with fewer uses is used up by being used. */
const minUses = 10;
/** A campaign of which so much was taken is nearly used up. */
const minPercent = 80;

const isUsedSql = (used: string, uses: string) => `case when :isUsedUp then ${used} >= ${uses}
  else cast(${used} as bigint) * 100 >= cast(${uses} as bigint) * ${minPercent} and ${used} < ${uses} end`;

/** Whether a campaign was used in the last 30 days, by the sums of its months. @param id an expression */
const isInUseSql = (id: string) => `exists (select from campaign_activity recent
  where recent.campaign_id = ${id} and recent.last_use > now() - interval '30 days'
    and recent.month >= (date_trunc('month', (now() - interval '30 days') at time zone :timeZone))::date)`;

/**
 * Lists active campaigns of which at least 80 % of the uses were taken, or all of them, the most used first. Codes
 * that renew get their uses back. A mass generation counts as reports count it: what machines have redeemed in the
 * last 20 s may be missing, as the summary is refreshed every 10 s and waits for whoever runs meanwhile.
 * @returns null while the summary is built anew
 */
export async function listUsedCampaigns(
  { isUsedUp }: { isUsedUp: boolean },
  limit: number,
): Promise<CampaignUses[] | null> {
  return withSnapshot(async ({ trx, hasCodeCounts }) => {
    if (!hasCodeCounts) return null;
    return query<CampaignUses>(
      trx,
      `with singles as materialized (
         select p.id, p.name, p.max_uses as uses, p.period_uses as used
         from promotions p
         where p.mass_generation_id is null and not p.is_deleted and p.is_active and not p.is_renewable
           and p.use_rank >= use_rank(${Math.floor((minUses * minPercent) / 100)}) and p.max_uses >= ${minUses}
           and ${isUsedSql("p.period_uses", "p.max_uses")} and coalesce(p.expires_at, 'infinity') > now()
       ), generations as materialized (
         select p.id, p.name, ${generationUsesSql} as uses, (
           select coalesce(sum(y.redemptions), 0) from campaign_years y
           where y.campaign_id = -p.id and y.year >= date_trunc('year', p.created_at at time zone :timeZone)::date
         )::integer as used
         from mass_generations p
         where not p.is_deleted and p.is_active and coalesce(p.expires_at, 'infinity') > now() and ${isInUseSql("-p.id")}
       )
       select * from (
         select 'promotion' as type, singles.* from singles where ${isInUseSql("singles.id")}
         union all
         select 'mass_generation', generations.* from generations
         where uses >= ${minUses} and ${isUsedSql("used", "uses")}
       ) campaigns
       order by cast(used as float) / uses desc, type, id limit :limit`,
      { timeZone: siteTimeZone(), isUsedUp, limit },
    );
  });
}
