/**
 * Throttles guessing (RULES R6): 30 failed lookups in a minute by the database's clock, counted for the key and
 * for the machine as it was named. A lookup fails when the code or the machine does not exist.
 *
 * Fragments of a statement that has `facts` (one row: `key_id`, `verdict`) and `:serialNumber`.
 */

const maxFailedLookups = 30;
const windowMs = 60_000;
const nowSql = "(extract(epoch from now()) * 1000)::bigint";

const counterKeysSql = (keyId: string) =>
  `array['redeem/key/' || ${keyId}, 'redeem/machine/' || cast(:serialNumber as text)]`;

/** Joins `throttle` to a key `k`: its end in ms since 1970, or null when nothing is throttled. */
export const joinThrottleSql = `cross join lateral (select max(expire) as until from rate_limits
      where key = any(${counterKeysSql("k.id")}) and points >= ${maxFailedLookups}
        and expire > ${nowSql}) throttle`;

/** CTEs `failed_lookups` and `newly_throttled`: count a failed lookup and find the end of a new throttle. */
export const countFailedLookupSql = `failed_lookups as (
    insert into rate_limits as r (key, points, expire)
    select counter, 1, ${nowSql} + ${windowMs}
    from (select unnest(${counterKeysSql("key_id")}) as counter from facts
      where verdict in ('unknown', 'machine_unknown')) counters
    order by counter
    on conflict (key) do update set
      points = case when r.expire <= ${nowSql} then 1 else r.points + 1 end,
      expire = case when r.expire <= ${nowSql} then excluded.expire else r.expire end
    returning points, expire
  ), newly_throttled as materialized (
    select max(expire) as until from failed_lookups where points > ${maxFailedLookups})`;

/** Returns whole seconds, at least one, until a time in ms since 1970. */
export function secondsUntilSql(until: string): string {
  return `greatest(1, ceil((${until} - ${nowSql}) / 1000.0))::integer`;
}
