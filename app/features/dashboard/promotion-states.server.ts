/** How promotions stand at the moment, how many were completed in a span of time, and totals of lists of codes. */
import { db, one } from "../../db/connection.server";
import { filtersToParams, type PromotionFilters } from "../promotions/list/promotion-filters";
import {
  clockBindings,
  clockSql,
  conditionsOf,
  isUsableSql,
  singlesByStartSql,
  startsAheadSql,
  statusConditions,
} from "../promotions/promotion-sql.server";
import type { PromotionStatus } from "../promotions/promotion";
import {
  codeCountsBindings,
  codeCountsSql,
  renewableUsesSql,
  usedUpCodesSql,
  youngCodesSql,
} from "../reports/code-counts.server";
import { bindSpans, type Spans } from "../reports/spans.server";
import { withSnapshot, type Snapshot } from "../reports/snapshot.server";

/** Numbers of codes that are not deleted, each code of a mass generation included. */
type PromotionStates = Record<
  | "total"
  | "freeDrinks"
  | "active"
  | "expiring"
  | "notAssigned"
  | "scheduled"
  | "usedUp"
  | "expired",
  number
>;

/** Numbers of codes that were completed in each span: used up, or expired before (RULES D4). */
type CompletedPromotions = Record<keyof Spans, number>;

const isExpired = "expires_at <= (select at from clock)";
/** The status rule on counted codes, none of which is deleted. */
const statuses = conditionsOf({
  inactive: { is: "not is_active", isNot: "is_active" },
  expired: { is: isExpired, isNot: `not (${isExpired})` },
  used_up: { is: "is_used_up", isNot: "not is_used_up" },
  not_assigned: { is: "is_unassigned", isNot: "not is_unassigned" },
  scheduled: { is: "is_scheduled", isNot: "not is_scheduled" },
});
const isExpiring = "expires_at <= (select at from clock) + interval '7 days'";

/**
 * Counts all codes by the status that lists show, and those completed in each span. Renewable codes that are used up
 * this month are read one by one, as are codes with a set of their own that is not assigned or whose start lies ahead.
 * @param now replaces the database's clock, in tests
 */
export async function readPromotionStates(
  snapshot: Snapshot,
  spans: Spans,
  now: Date | null,
): Promise<{ promotions: PromotionStates; completed: CompletedPromotions }> {
  const { current, previous, ...promotions } = await readStates(snapshot, spans, now);
  return { promotions, completed: { current, previous } };
}

async function countByStatus(
  snapshot: Snapshot,
): Promise<Record<Exclude<PromotionStatus, "deleted">, number> & { total: number }> {
  const states = await readStates(snapshot, null, null);
  const { total, active, scheduled, notAssigned, usedUp, expired } = states;
  const inactive = total - active - scheduled - notAssigned - usedUp - expired;
  const counts = { total, active, scheduled, expired, inactive };
  return { ...counts, not_assigned: notAssigned, used_up: usedUp };
}

/** @param spans null leaves out what was completed */
async function readStates(snapshot: Snapshot, spans: Spans | null, now: Date | null) {
  const sum = (condition: string) => `coalesce(sum(codes) filter (where ${condition}), 0)::integer`;
  const completedSql = (span: keyof Spans) => {
    const isIn = (column: string) => `${column} >= :${span}From and ${column} < :${span}To`;
    return `(select count(*) from ${usedUpCodesSql} used_up where ${isIn("used_at")})::integer
      + (select ${sum("not is_used_up")} from codes where ${isIn("expires_at")} and ${isExpired})`;
  };
  const row = await one<PromotionStates & CompletedPromotions>(
    snapshot.trx,
    `with ${clockSql}, ${youngCodesSql}, codes as materialized (select * from ${codeCountsSql} codes),
     unassigned as materialized (
       select s.id, g.id is not null as is_shared
       from assignment_sets s left join mass_generations g on g.set_id = s.id where not s.is_assigned
     ), scheduled as materialized (
       select set_id from mass_generations where starts_at > (select at from clock)
     ), counted as materialized (
       select set_id in (select id from unassigned) as is_unassigned,
         set_id in (select set_id from scheduled) as is_scheduled, is_active, expires_at,
         discount_type, is_used_up, codes
       from codes
       union all
       select is_shared and set_id in (select id from unassigned),
         is_shared and set_id in (select set_id from scheduled), is_active, coalesce(expires_at, 'infinity'),
         discount_type, moved.is_used_up, moved.codes
       from ${renewableUsesSql} renewable cross join (values (false, -1), (true, 1)) moved (is_used_up, codes)
       where period_uses >= max_uses
       union all
       select moved.is_unassigned, false, p.is_active, coalesce(p.expires_at, 'infinity'), p.discount_type, false,
         moved.codes
       from (select id from unassigned where not is_shared) own
         cross join lateral (select * from promotions p where p.set_id = own.id and ${isUsableSql} offset 0) p
         cross join (values (false, -1), (true, 1)) moved (is_unassigned, codes)
       union all
       select false, moved.is_scheduled, p.is_active, coalesce(p.expires_at, 'infinity'), p.discount_type, false,
         moved.codes
       from (
         select single.* from ${singlesByStartSql(startsAheadSql)} single
         union all
         select code.* from scheduled
           join assignment_sets s on s.copied_from = scheduled.set_id
           join promotions code on code.set_id = s.id
       ) p cross join (values (false, -1), (true, 1)) moved (is_scheduled, codes)
       where ${statusConditions.scheduled}
     )
     select ${sum("true")} as total, ${sum("discount_type = 'free_drink'")} as free_drinks,
       ${sum(statuses.expired)} as expired, ${sum(statuses.used_up)} as used_up,
       ${sum(statuses.not_assigned)} as not_assigned, ${sum(statuses.scheduled)} as scheduled, ${sum(statuses.active)} as active,
       ${sum(`${statuses.active} and ${isExpiring}`)} as expiring
       ${spans ? `, ${completedSql("current")} as current, ${completedSql("previous")} as previous` : ""}
     from counted`,
    { ...clockBindings(now), ...codeCountsBindings(snapshot), ...(spans && bindSpans(spans)) },
    { isPrepared: true },
  );
  return row!;
}

/**
 * Returns the exact number of codes that match, which the summary or a campaign has without counting (RULES L4): all, of
 * one status, or of a campaign; null for other filters.
 */
export async function readTotal(filters: PromotionFilters): Promise<number | null> {
  const { status, massGenerationId } = filters;
  const names = filtersToParams(filters).map(([name]) => name);
  const has = (name: string) => names.length === 1 && names[0] === name;
  if (names.length === 0) return (await withSnapshot(countByStatus)).total;
  if (has("status") && status !== null && status !== "deleted")
    return (await withSnapshot(countByStatus))[status];
  return has("mass_generation_id") ? readNumCodes(massGenerationId!) : null;
}

/** Returns null for a deleted mass generation: its codes follow in chunks. */
async function readNumCodes(id: string): Promise<number | null> {
  const row = await one<{ numCodes: number }>(
    db(),
    "select g.num_codes from mass_generations g where g.id = :id and not g.is_deleted",
    { id },
  );
  return row?.numCodes ?? null;
}
