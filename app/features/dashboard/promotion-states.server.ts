/** How promotions stand at the moment, and which expired in a span of time. */
import { db, query } from "../../db/connection.server";
import {
  clockBindings,
  clockSql,
  countedStatusSql,
  isUsedUpForGoodSql,
} from "../promotions/promotion-sql.server";
import type { PromotionStatus } from "../promotions/promotion";
import { bindSpans, type Spans } from "../reports/spans.server";
import type { CompletedPromotions } from "../reports/used-up.server";

/** Numbers of codes that are not deleted, each code of a mass generation included. */
export type PromotionStates = {
  byStatus: Record<PromotionStatus, number>;
  /** Active, with an expiration within 7 days. */
  expiring: number;
  freeDrinks: number;
  percentages: number;
  /** Codes whose expiration passed in each span and that were not used up before. */
  expiredIn: CompletedPromotions;
};

/**
 * Counts all codes in one pass, by the status that lists show.
 * @param now replaces the database's clock, in tests
 */
export async function readPromotionStates(
  spans: Spans,
  now: Date | null = null,
): Promise<PromotionStates> {
  const isExpiredIn = (span: keyof Spans) =>
    `(p.expires_at >= :${span}From and p.expires_at < :${span}To
      and p.expires_at <= (select at from clock) and not ${isUsedUpForGoodSql})`;
  const rows = await query<
    { status: PromotionStatus; isDrink: boolean } & Record<
      "count" | "expiring" | "current" | "previous",
      number
    >
  >(
    db(),
    `with ${clockSql}
     select status, is_drink, count(*)::integer as count,
       (count(*) filter (where is_expiring))::integer as expiring,
       (count(*) filter (where is_current))::integer as current,
       (count(*) filter (where is_previous))::integer as previous
     from (
       select ${countedStatusSql} as status, p.discount_type = 'free_drink' as is_drink,
         p.expires_at <= (select at from clock) + interval '7 days' as is_expiring,
         ${isExpiredIn("current")} as is_current, ${isExpiredIn("previous")} as is_previous
       from promotions p where not p.is_deleted offset 0) judged
     group by status, is_drink`,
    { ...clockBindings(now), ...bindSpans(spans) },
  );
  const states: PromotionStates = {
    byStatus: { deleted: 0, inactive: 0, expired: 0, used_up: 0, not_assigned: 0, active: 0 },
    ...{ expiring: 0, freeDrinks: 0, percentages: 0 },
    expiredIn: { current: 0, previous: 0 },
  };
  for (const { status, isDrink, count, expiring, current, previous } of rows) {
    states.byStatus[status] += count;
    if (status === "active") states.expiring += expiring;
    states[isDrink ? "freeDrinks" : "percentages"] += count;
    states.expiredIn.current += current;
    states.expiredIn.previous += previous;
  }
  return states;
}
