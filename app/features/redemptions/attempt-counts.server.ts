/**
 * Bounds what is recorded of attempts that judge no code: texts that are no code, and attempts of a throttled key. The
 * first 1,000 of a key in an hour are rows like other refusals; the rest are only counted.
 */
import { db, one, query } from "../../db/connection.server";
import { isDatabaseUnavailable } from "../../db/database-errors.server";
import type { Leftovers } from "../../db/sweep.server";
import { hashSecret, isTestSecret } from "../sign-in/tokens.server";

/** Limits the recorded attempts of a key in an hour. */
const maxRecorded = 1_000;

/** CTE that counts an attempt of the row of `facts` for which a condition holds. */
export const countAttemptSql = (condition: string) => `counted as (
    insert into attempt_counts as c (key_id, hour, attempts)
    select key_id, date_trunc('hour', now()), 1 from facts where ${condition}
    on conflict (key_id, hour) do update set attempts = c.attempts + 1
    returning attempts
  )`;

export const isRecordedSql = `exists (select from counted where attempts <= ${maxRecorded})`;

const maxTextLength = 200;

/** Returns what is recorded of a text that is no code: 200 characters, those that can't be printed replaced. */
export function toPrintable(text: string): string {
  const characters = [...text.slice(0, 2 * maxTextLength)].slice(0, maxTextLength);
  return characters
    .map((character) => (/^[\p{C}\p{Zl}\p{Zp}]$/u.test(character) ? "\uFFFD" : character))
    .join("");
}

type ThrottledAttempt = { code: string; serialNumber: string; originalPrice: number };
type Batch = {
  count: number;
  /** The first ones; times are of `performance.now()`. */
  attempts: (ThrottledAttempt & { startedAt: number })[];
};

/** Enough for a flood of some keys between two writes, and a bound of the memory. */
const maxBuffered = 10_000;

let batches = new Map<string, Batch>();
let buffered = 0;

/**
 * Keeps a throttled attempt for the next write, so that a flood of them costs the database nothing. Those of test keys are
 * recorded nowhere.
 */
export function recordThrottled(secret: string, attempt: ThrottledAttempt): void {
  if (isTestSecret(secret)) return;
  const { code, serialNumber, originalPrice } = attempt;
  const attempts = [{ code, serialNumber, originalPrice, startedAt: performance.now() }];
  addBatch(hashSecret(secret).toString("hex"), { count: 1, attempts });
}

function addBatch(hash: string, { count, attempts }: Batch): void {
  const batch = batches.get(hash) ?? { count: 0, attempts: [] };
  batches.set(hash, batch);
  batch.count += count;
  const room = Math.min(maxRecorded - batch.attempts.length, maxBuffered - buffered);
  const added = attempts.slice(0, Math.max(0, room));
  batch.attempts.push(...added);
  buffered += added.length;
}

/**
 * Writes the throttled attempts since the last time, in one statement. Those of a write that failed are kept for the next
 * one, and written twice if only the answer was lost.
 */
export async function writeThrottled(): Promise<void> {
  if (batches.size === 0) return;
  const written = batches;
  batches = new Map();
  buffered = 0;
  try {
    await write(written);
  } catch (error) {
    if (isDatabaseUnavailable(error)) for (const [hash, batch] of written) addBatch(hash, batch);
    throw error;
  }
}

async function write(written: typeof batches): Promise<void> {
  const now = performance.now();
  const counts = [...written].map(([hash, { count }]) => ({ hash, count }));
  const attempts = [...written].flatMap(([hash, batch]) =>
    batch.attempts.map(({ startedAt, ...attempt }, index) => ({
      ...attempt,
      hash,
      nth: index + 1,
      age: (now - startedAt) / 1_000,
    })),
  );
  await query(
    db(),
    `with keys as (
       select k.id, k.integration_id, c.hash, c.count
       from jsonb_to_recordset(cast(:counts as jsonb)) as c (hash text, count integer)
         join api_keys k on k.hash = decode(c.hash, 'hex')
     ), counted as (
       insert into attempt_counts as c (key_id, hour, attempts)
       select id, date_trunc('hour', now()), count from keys order by id
       on conflict (key_id, hour) do update set attempts = c.attempts + excluded.attempts
       returning key_id, attempts
     )
     insert into redemption_attempts (code, serial_number, original_price, promotion_id, machine_id,
       integration_id, outcome, created_at)
     select a.code, a."serialNumber", a."originalPrice", p.id, m.id, keys.integration_id, 'throttled',
       now() - make_interval(secs => a.age)
     from jsonb_to_recordset(cast(:attempts as jsonb)) as a (hash text, nth integer, age float8,
         code text, "serialNumber" text, "originalPrice" integer)
       join keys on keys.hash = a.hash
       join counted on counted.key_id = keys.id
       left join promotions p on p.code = a.code
       left join machines m on m.serial_number = a."serialNumber"
     where a.nth <= ${maxRecorded} - (counted.attempts - keys.count)
     order by a.age desc`,
    { counts: JSON.stringify(counts), attempts: JSON.stringify(attempts) },
  );
}

/** Returns how many attempts of the last 24 hours were only counted: of an integration, or of all (null). */
export async function countUnrecorded(integrationId: string | null = null): Promise<number> {
  const row = await one<{ count: number }>(
    db(),
    `select coalesce(sum(c.attempts - ${maxRecorded}), 0)::float8 as count
     from attempt_counts c join api_keys k on k.id = c.key_id
     where c.hour > now() - interval '24 hours' and c.attempts > ${maxRecorded}
       and (cast(:integrationId as bigint) is null or k.integration_id = :integrationId)`,
    { integrationId },
  );
  return row!.count;
}

export const oldAttemptCounts: Leftovers = {
  table: "attempt_counts",
  conditionSql: "hour < now() - interval '2 days'",
};
