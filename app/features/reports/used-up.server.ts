import { one } from "../../db/connection.server";
import { bindSpans, type Spans } from "./spans.server";
import type { Snapshot } from "./summary.server";

/** Numbers of codes that were completed in each span (RULES D4). */
export type CompletedPromotions = Record<keyof Spans, number>;

/** Counts codes whose last use was accepted in each span. */
export async function countUsedUp(
  { trx, summarised }: Snapshot,
  spans: Spans,
): Promise<CompletedPromotions> {
  const row = await one<CompletedPromotions>(
    trx,
    `with young as materialized (
       select t.promotion_id, max(t.created_at) as used_at from transactions t
       where t.id > :lastTransaction and t.status = 'applied' group by t.promotion_id
     ), last_use as (
       select young.promotion_id, greatest(young.used_at, kept.used_at) as used_at
       from young left join last_uses kept on kept.promotion_id = young.promotion_id and :isSummarised
       union all
       select kept.promotion_id, kept.used_at from last_uses kept
       where kept.used_at >= :previousFrom and kept.used_at < :currentTo and :isSummarised
         and kept.promotion_id not in (select promotion_id from young)
     )
     select (count(*) filter (where used_at >= :currentFrom and used_at < :currentTo))::integer as current,
       (count(*) filter (where used_at >= :previousFrom and used_at < :previousTo))::integer as previous
     from last_use join promotions p on p.id = last_use.promotion_id
     where not p.is_deleted and not p.is_renewable and p.period_uses >= p.max_uses`,
    {
      lastTransaction: summarised.transactions,
      isSummarised: summarised.transactions !== "0",
      ...bindSpans(spans),
    },
  );
  return row!;
}
