/** Counters of attempts, shared by all instances. The database's clock ends their windows. */
import { type Database, query } from "./connection.server";
import type { Leftovers } from "./sweep.server";

/** The database's time in ms since 1970. */
const nowMsSql = "(extract(epoch from clock_timestamp()) * 1000)::bigint";

export type Limit = {
  /** Names what is counted, and whose it is. */
  key: string;
  attempts: number;
  /** From the first attempt on. */
  windowMs: number;
};

export type Counted = { limit: Limit; isExceeded: boolean; msLeft: number };

/** Counts an attempt towards each limit, in one statement, so that no two attempts get the same number. */
export async function countAttempt(database: Database, limits: Limit[]): Promise<Counted[]> {
  const rows = await query<{ key: string; points: number; msLeft: number }>(
    database,
    `insert into rate_limits as r (key, points, expire)
     select key, 1, ${nowMsSql} + window_ms
     from unnest(cast(:keys as text[]), cast(:windows as integer[])) as given (key, window_ms)
     order by key
     on conflict (key) do update set
       points = case when r.expire <= ${nowMsSql} then 1 else r.points + 1 end,
       expire = case when r.expire <= ${nowMsSql} then excluded.expire else r.expire end
     returning key, points, cast(greatest(1, expire - ${nowMsSql}) as integer) as ms_left`,
    { keys: limits.map(({ key }) => key), windows: limits.map(({ windowMs }) => windowMs) },
  );
  const byKey = new Map(rows.map((row) => [row.key, row]));
  return limits.map((limit) => {
    const { points, msLeft } = byKey.get(limit.key)!;
    return { limit, isExceeded: points > limit.attempts, msLeft };
  });
}

/** Takes an attempt back that was refused, or that shall not count. */
export async function giveAttemptBack(database: Database, limits: Limit[]): Promise<void> {
  await query(
    database,
    `with counted as (
       select key from rate_limits where key = any(:keys) order by key for update
     )
     update rate_limits r set points = greatest(r.points - 1, 0) from counted where r.key = counted.key`,
    { keys: limits.map(({ key }) => key) },
  );
}

export async function forgetAttempts(database: Database, { key }: Limit): Promise<void> {
  await query(database, "delete from rate_limits where key = :key", { key });
}

export const endedLimits: Leftovers = {
  table: "rate_limits",
  conditionSql: `expire <= ${nowMsSql}`,
};
