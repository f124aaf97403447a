/** How promotions stand at the moment, and which expired in a span of time. */
import { db, one } from "../../db/connection.server";
import {
  clockBindings,
  clockSql,
  countedConditions,
  isUsedUpForGoodSql,
} from "../promotions/promotion-sql.server";
import { bindSpans, type Spans } from "../reports/spans.server";
import type { CompletedPromotions } from "../reports/used-up.server";

/** Numbers of codes that are not deleted, each code of a mass generation included. */
export type PromotionStates = Record<
  "total" | "freeDrinks" | "active" | "expiring" | "notAssigned" | "usedUp" | "expired",
  number
>;

/**
 * Counts all codes by the status that lists show, in one pass: half of them are active, so that no index helps, and
 * plain conditions let PostgreSQL divide the pass among workers.
 * @param now replaces the database's clock, in tests
 */
export async function readPromotionStates(now: Date | null = null): Promise<PromotionStates> {
  const count = (condition: string) => `(count(*) filter (where ${condition}))::integer`;
  const [counted, soon] = await Promise.all([
    one<Omit<PromotionStates, "active" | "expiring"> & { inactive: number }>(
      db(),
      `with ${clockSql}
       select count(*)::integer as total, ${count("p.discount_type = 'free_drink'")} as free_drinks,
         ${count("not p.is_active")} as inactive, ${count(countedConditions.expired)} as expired,
         ${count(countedConditions.usedUp)} as used_up,
         ${count(countedConditions.notAssigned)} as not_assigned
       from promotions p where not p.is_deleted`,
      clockBindings(now),
    ),
    one<{ expiring: number }>(
      db(),
      `with ${clockSql}
       select count(*)::integer as expiring from promotions p where ${countedConditions.active}
         and coalesce(p.expires_at, 'infinity') <= (select at from clock) + interval '7 days'`,
      clockBindings(now),
    ),
  ]);
  const { inactive, ...states } = counted!;
  const { total, expired, usedUp, notAssigned } = states;
  const active = total - inactive - expired - usedUp - notAssigned;
  return { ...states, active, expiring: soon!.expiring };
}

/**
 * Counts codes whose expiration passed in each span and that were not used up before.
 * @param now replaces the database's clock, in tests
 */
export async function countExpired(
  spans: Spans,
  now: Date | null = null,
): Promise<CompletedPromotions> {
  const inSpan = (span: keyof Spans) =>
    `(select count(*)::integer from promotions p
      where not p.is_deleted and coalesce(p.expires_at, 'infinity') >= :${span}From
        and coalesce(p.expires_at, 'infinity') < :${span}To
        and coalesce(p.expires_at, 'infinity') <= (select at from clock)
        and not ${isUsedUpForGoodSql}) as ${span}`;
  const row = await one<CompletedPromotions>(
    db(),
    `with ${clockSql} select ${inSpan("current")}, ${inSpan("previous")}`,
    { ...clockBindings(now), ...bindSpans(spans) },
  );
  return row!;
}
