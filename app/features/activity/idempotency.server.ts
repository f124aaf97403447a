/** A request that may arrive twice is done once (rulings 3.7): its key, and what it came to. */
import { createHash } from "node:crypto";
import type { Knex } from "knex";
import { DomainError } from "../../errors";

type Rows<Row> = { rows: Row[] };

/**
 * Takes the key for this transaction; a second request with it waits here for the first to end.
 * @returns what the first one came to, or null when the key is free
 * @throws DomainError invalid; conflict: the key was used for something else
 */
export async function claimIdempotencyKey(
  trx: Knex.Transaction,
  { userId, key, input }: { userId: string; key: string; input: object },
): Promise<Record<string, unknown> | null> {
  if (!/^[\x21-\x7e]{1,100}$/.test(key)) {
    throw new DomainError("invalid", "The idempotency key must be 1 to 100 plain characters");
  }
  const requestHash = createHash("sha256").update(JSON.stringify(input)).digest();
  const claim = await trx.raw<Rows<object>>(
    `insert into idempotency_keys as k (user_id, key, request_hash, result)
     values (:userId, :key, :requestHash, '{}')
     on conflict (user_id, key) do update
       set request_hash = excluded.request_hash, result = '{}', created_at = now()
       where k.created_at < now() - interval '24 hours'
     returning 1`,
    { userId, key, requestHash },
  );
  if (claim.rows.length > 0) return null;
  const known = await trx.raw<Rows<{ request_hash: Buffer; result: Record<string, unknown> }>>(
    "select request_hash, result from idempotency_keys where user_id = :userId and key = :key",
    { userId, key },
  );
  const answer = known.rows[0];
  if (!answer?.request_hash.equals(requestHash)) {
    throw new DomainError(
      "conflict",
      "This was already sent once with other values. Nothing new was created.",
    );
  }
  return answer.result;
}

export async function storeResult(
  trx: Knex.Transaction,
  { userId, key, result }: { userId: string; key: string; result: object },
): Promise<void> {
  await trx.raw(
    `update idempotency_keys set result = cast(:result as jsonb)
     where user_id = :userId and key = :key`,
    { userId, key, result: JSON.stringify(result) },
  );
}
