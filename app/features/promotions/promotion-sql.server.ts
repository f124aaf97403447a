/**
 * Rows of `promotions` as the product speaks of them. Every query about status starts here. The status rule (RULES S1)
 * has a form for each kind of statement; all need `clockSql`:
 *
 * | form                          | gives        | for                                   | joins                |
 * | ----------------------------- | ------------ | ------------------------------------- | -------------------- |
 * | `statusSql`                   | the status   | pages of codes; knows replaced ones   | nothing              |
 * | `joinedStatusSql`             | the status   | statements that join the generation   | `joinGenerationSql`  |
 * | `joinedStatusOnceAssignedSql` | the status   | redemptions, labels                   | `joinGenerationSql`  |
 * | `storedStatusSql`             | the status   | orders; rows that stand for campaigns | nothing, and may lag |
 * | `statusConditions`            | a condition  | codes of one status, by their indexes | nothing, and may lag |
 * | `countedConditions`           | a condition  | counts of many codes                  | nothing, and may lag |
 * | `isUsableSql`                 | a condition  | not assigned, scheduled and active    | nothing, and may lag |
 *
 * Forms that may lag read the code's own columns alone, to which a change of a whole generation comes in chunks (RULES S7).
 */
import { nowSql, siteTimeZone } from "../../db/site.server";
import { capsOf, isCapReachedOf } from "../caps/cap-sql.server";
import { fieldColumns } from "./field-columns.server";
import { promotionStatuses, type PromotionStatus } from "./promotion";

/**
 * The time that a statement judges by, first in its WITH list: `with ${clockSql}, …`. It is the
 * database's clock; only tests pass a time. Expressions read it as scalars, so that it is worked
 * out once and leaves the plan alone.
 */
export const clockSql = `clock as materialized (
  select at, local_time, to_char(local_time, 'YYYYMM')::integer as period_key,
    cast(local_time as date) as local_date,
    ((extract(isodow from local_time) - 1) * 1440 + extract(hour from local_time) * 60
      + extract(minute from local_time))::integer as week_minute
  from (select at, at at time zone :timeZone as local_time
    from (select ${nowSql} as at) instant) site)`;

export function clockBindings(now: Date | null = null) {
  return { now, timeZone: siteTimeZone() };
}

// Not 'differs from': should the clock step back, a month that was counted stays counted.
export const hasRenewedSql = `(p.is_renewable and p.period_key < (select period_key from clock))`;

/** Null is without limit. */
const remainingUsesSql = `(p.max_uses - case when ${hasRenewedSql} then 0 else p.period_uses end)`;

/** A property of the set, so that the first or the last assignment of many codes writes one row. */
const isAssignedSql = "(select s.is_assigned from assignment_sets s where s.id = p.set_id)";

/** Selects a value of the mass generation of the row `p`; null for a single promotion. */
const ofGenerationRow = (value: string) => `(select ${value}
  from mass_generations generation where generation.id = p.mass_generation_id)`;
const ofGeneration = (column: string) => ofGenerationRow(`generation.${column}`);

/** An expiration set for a code alone wins over its generation's. */
const expiresAt = (generationExpiresAt: string) => `(case
  when p.mass_generation_id is null or p.has_own_expiration then p.expires_at
  else ${generationExpiresAt} end)`;
/** The expiration of a row `p` joined by `joinGenerationSql`, which has an extension at once. */
export const joinedExpiresAtSql = expiresAt("generation.expires_at");
const expiresAtSql = expiresAt(ofGeneration("expires_at"));
const isExpired = (expiresAtSql: string) =>
  `coalesce(${expiresAtSql} <= (select at from clock), false)`;

/** The start and the hours of a code are those of its mass generation. */
const ofCampaign = (column: string) => `coalesce(p.${column}, generation.${column})`;

/** Whether the start of a row `p` joined by `joinGenerationSql` lies ahead. */
export const isAheadSql = `coalesce(${ofCampaign("starts_at")} > (select at from clock), false)`;

const isWithinHours = (column: (name: string) => string) =>
  `(coalesce(${column("open_minutes")} @> (select week_minute from clock), true)
    and ((select local_date from clock) = any(${column("closed_on")})) is not true)`;

/** Whether the site's local time is within the hours of a row `p` joined by `joinGenerationSql`. */
export const isWithinHoursSql = isWithinHours(ofCampaign);

type Reason = Exclude<PromotionStatus, "active">;

const reasons = promotionStatuses.filter((status): status is Reason => status !== "active");

/** Writes the status rule: the first reason whose condition holds, in the order of `promotionStatuses`. */
function statusCase(conditions: Record<Reason, string>): string {
  const branches = reasons.map((reason) => `when ${conditions[reason]} then '${reason}'`);
  return `(case\n  ${branches.join("\n  ")}\n  else 'active' end)`;
}

/** A reason as SQL, and its negation in a form that indexes can answer. */
type Fact = { is: string; isNot: string };

/**
 * Writes the status rule, status by status.
 * @param facts a reason that no row has may be left out
 */
export function conditionsOf(
  facts: Partial<Record<Reason, Fact>>,
): Record<PromotionStatus, string> {
  const conditions = promotionStatuses.map((status, position) => {
    const earlier = promotionStatuses.slice(0, position).map((reason) => factOf(reason)?.isNot);
    return [status, [...earlier, factOf(status)?.is].filter(Boolean).join(" and ")];
  });
  return Object.fromEntries(conditions) as Record<PromotionStatus, string>;

  function factOf(status: PromotionStatus): Fact | undefined {
    return status === "active" ? undefined : facts[status];
  }
}

const isUsedUpSql = `${remainingUsesSql} = 0`;

/**
 * Whether a code has a replacement for the uses of this period: one that a rollback gives back later is not redeemable.
 * Replacing moves the version, so that a redemption on its way judges again.
 */
export const isReplacedSql = `(exists (select from replacements r
  where r.replaced_id = p.id and r.period_key = p.period_key) and not ${hasRenewedSql})`;

/** Conditions on a row `p` of promotions joined by `joinGenerationSql`: deleted or inactive on either side counts. */
const joinedConditionsSql = {
  deleted: "(p.is_deleted or generation.is_deleted)",
  inactive: "not (p.is_active and coalesce(generation.is_active, true))",
  expired: isExpired(joinedExpiresAtSql),
  used_up: isUsedUpSql,
  not_assigned: `not ${isAssignedSql}`,
  scheduled: isAheadSql,
};
export const joinedStatusSql = statusCase(joinedConditionsSql);

/** Takes it that a machine is assigned and the start has come; its readers judge these apart. */
export const joinedStatusOnceAssignedSql = statusCase({
  ...joinedConditionsSql,
  not_assigned: "false",
  scheduled: "false",
});

/**
 * Joins the row of the mass generation, which an action on the whole generation changes first. The
 * limit makes every plan look up one row.
 */
export const joinGenerationSql = `left join lateral (
  select g.is_deleted, g.is_active, g.expires_at, g.starts_at, g.open_minutes, g.closed_on,
    g.caps_id
  from mass_generations g
  where g.id = p.mass_generation_id limit 1) generation on true`;

/** Joins the generation itself. A code that was replaced is used up; the tests hold it against an oracle. */
export const statusSql = `(select ${statusCase({
  ...joinedConditionsSql,
  used_up: `(${isUsedUpSql} or ${isReplacedSql})`,
})} from (select) one ${joinGenerationSql})`;

/**
 * Whether the start lies ahead, for statements over many codes. Campaigns that are scheduled are few: their ids are read
 * once, and by them their codes.
 */
const isScheduledSql = `(p.starts_at > (select at from clock) or p.mass_generation_id = any(array(
  select g.id from mass_generations g where g.starts_at > (select at from clock))))`;

/** Whether a start lies ahead, of campaigns that are read by it. */
export const startsAheadSql = (startsAt: string) => `${startsAt} > (select at from clock)`;

/**
 * Selects single promotions by their start. The planner takes a third of all rows to start after any time, but knows how
 * few have a start: 'offset 0' makes it read these by their index.
 */
export const singlesByStartSql = (condition: (startsAt: string) => string) => `(
  select * from (select * from promotions where starts_at is not null offset 0) started
  where ${condition("starts_at")})`;

/** Whether the site's local time is within the hours of a row. */
export const isWithinHoursOf = (row: string) => isWithinHours((name) => `${row}.${name}`);

/** Whether it is outside the hours, for statements over many codes: true or false. Campaigns with hours are few. */
export const isOutsideHoursSql = `((not ${isWithinHoursOf("p")} or p.mass_generation_id = any(array(
  select g.id from mass_generations g where not ${isWithinHoursOf("g")}))) is true)`;

export const storedStatusSql = statusCase({
  deleted: "p.is_deleted",
  inactive: "not p.is_active",
  expired: isExpired("p.expires_at"),
  used_up: isUsedUpSql,
  not_assigned: `not ${isAssignedSql}`,
  scheduled: isScheduledSql,
});

/** The position of `storedStatusSql` in `promotionStatuses`, from 0. */
export const statusRankSql = `array_position(
  cast('{${promotionStatuses.join()}}' as text[]), ${storedStatusSql}) - 1`;

/** Uses left as an order: unlimited is more than any number. */
const asOrder = (uses: string) => `coalesce(${uses}, 2147483647)`;
export const usesLeftSql = asOrder(remainingUsesSql);

/**
 * The same by marks that change rarely (`migrations/0039`), as the index `promotions_settled_uses` has it: it is wrong for
 * a code that is partly used, and for `hasStaleUsesSql`.
 */
export const settledUsesLeftSql = `(case when p.is_used_up then 0 else ${asOrder("p.max_uses")} end)`;
export const hasStaleUsesSql = `(p.is_renewable and p.use_rank > 0 and p.period_uses > 0
  and p.max_uses is not null and p.period_key < (select period_key from clock))`;

export const hasUsesLeftSql = `(p.max_uses is null or p.period_uses < p.max_uses or ${hasRenewedSql})`;
const isLiveSql = "not p.is_deleted and p.is_active";

/**
 * Whether a redemption that was judged by `statusSql` may still consume a use of the row, which may
 * have changed while it waited for its lock. Reads nothing but the row: the rest of the status has
 * not changed as long as the version is the same.
 */
export const isConsumableSql = `${isLiveSql} and ${hasUsesLeftSql}`;

/** Whether the code's own expiration has passed, in the form that its index has. */
export const isExpiredIndexedSql = "coalesce(p.expires_at, 'infinity') <= (select at from clock)";
export const isNotExpiredSql = "coalesce(p.expires_at, 'infinity') > (select at from clock)";

/** Selects the set by the index of those that are not assigned, which are few. */
const unassignedSql = "select from assignment_sets s where s.id = p.set_id and not s.is_assigned";

/** Whether the last use of a code was accepted. A renewable one gets its uses back (RULES D4). */
export const isUsedUpForGoodSql =
  "coalesce(not p.is_renewable and p.period_uses >= p.max_uses, false)";

const usableFacts = {
  deleted: { is: "p.is_deleted", isNot: "not p.is_deleted" },
  inactive: { is: "not p.is_active", isNot: "p.is_active" },
  expired: { is: isExpiredIndexedSql, isNot: isNotExpiredSql },
  used_up: {
    is: `${settledUsesLeftSql} = 0 and not p.is_partly_used and not ${hasRenewedSql}`,
    isNot: hasUsesLeftSql,
  },
};

export const isUsableSql = conditionsOf(usableFacts).active;

const scheduledFact = { is: isScheduledSql, isNot: `${isScheduledSql} is not true` };

/** `storedStatusSql`, status by status, in the form that indexes can answer. */
export const statusConditions = conditionsOf({
  ...usableFacts,
  // 'offset 0' keeps it a check of one row, which PostgreSQL can't turn into a join.
  not_assigned: {
    is: `exists (${unassignedSql} offset 0)`,
    isNot: `not exists (${unassignedSql})`,
  },
  scheduled: scheduledFact,
});

/** Reads the few sets that are not assigned once, for statements that look at all codes. */
const isInUnassignedSetSql = `p.set_id in (select s.id from assignment_sets s where not s.is_assigned)`;

export const countedConditions = conditionsOf({
  ...usableFacts,
  not_assigned: { is: isInUnassignedSetSql, isNot: `not ${isInUnassignedSetSql}` },
  scheduled: scheduledFact,
});

/** Selects the `StoredTimes` of a row of promotions or mass generations; needs `clockSql`. */
export const timesOf = (row: string) => {
  const column = (name: string) => `${row}.${name}`;
  return `case when ${column("starts_at")} is not null or ${column("open_minutes")} is not null
      or ${column("closed_on")} is not null then jsonb_build_object(
    'startsAt', ${column("starts_at")} at time zone :timeZone, 'openMinutes', ${column("open_minutes")},
    'closedOn', ${column("closed_on")}, 'isOpen', ${isWithinHours(column)},
    'isAhead', coalesce(${column("starts_at")} > (select at from clock), false),
    'localTime', (select local_time from clock)) end`;
};

/** Selects the times of a row `p` of promotions; those of a code are its mass generation's. */
export const timesSql = `case when p.mass_generation_id is null then ${timesOf("p")}
  else ${ofGenerationRow(timesOf("generation"))} end`;

const capsIdSql = `coalesce(p.caps_id, ${ofGeneration("caps_id")})`;

/** Selects a `Promotion` from a row `p` of promotions; needs `clockSql`. */
export const promotionColumns = `
  p.id, ${fieldColumns("p.")}, p.code, p.mass_generation_id, p.version,
  p.created_at, p.activation_count,
  (p.is_active and coalesce(${ofGeneration("is_active")}, true)) as is_active,
  (p.is_deleted or coalesce(${ofGeneration("is_deleted")}, false)) as is_deleted,
  ${ofGeneration("num_codes")} as number_of_codes,
  ${expiresAtSql} as expires_at, ${isExpired(expiresAtSql)} as is_expired,
  p.created_at > (select at from clock) - interval '7 days' as is_new,
  case when p.is_renewable then (select
    (date_trunc('month', local_time) + interval '1 month') at time zone :timeZone from clock)
  end as renews_at,
  case when ${isReplacedSql} then 0 else ${remainingUsesSql} end as remaining_uses,
  ${timesSql} as times,
  ${capsOf(capsIdSql)} as caps, ${isCapReachedOf(capsIdSql)} as is_cap_reached,
  ${statusSql} as status`;
