import { db } from "../../db/connection.server";

const secondsBetween = 30;
const nowSql = "(extract(epoch from clock_timestamp()) * 1000)::bigint";

/**
 * A person refreshes the machines once in 30 s, on all screens and instances together (rulings 4.3).
 * @returns 0 when they may now, which counts; else the seconds to wait
 */
export async function consumeRefreshQuota(userId: string): Promise<number> {
  const { rows } = await db().raw<{ rows: { seconds: number }[] }>(
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
  // No row: another request of this person took the turn at this very moment.
  return rows[0]?.seconds ?? secondsBetween;
}
