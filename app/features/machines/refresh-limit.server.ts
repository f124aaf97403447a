import { db, one } from "../../db/connection.server";

const secondsBetween = 30;
const nowSql = "(extract(epoch from clock_timestamp()) * 1000)::bigint";

/**
 * Consumes the refresh that a user has every 30 s, on all screens and instances together.
 * @returns 0 if it was available, otherwise the seconds to wait
 */
export async function consumeRefreshQuota(userId: string): Promise<number> {
  const wait = await one<{ seconds: number }>(
    db(),
    `with taken as (
       insert into rate_limits as r (key, points, expire)
       values (:key, 1, ${nowSql} + :period)
       on conflict (key) do update set expire = excluded.expire where r.expire <= ${nowSql}
       returning 0 as seconds
     )
     select seconds from taken
     union all
     select greatest(1, ceil((expire - ${nowSql}) / 1000.0))::integer
     from rate_limits where key = :key and not exists (select from taken)`,
    { key: `machines-refresh:${userId}`, period: secondsBetween * 1_000 },
  );
  // There is no row if a concurrent request of this user has just consumed the quota.
  return wait?.seconds ?? secondsBetween;
}
