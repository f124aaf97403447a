/** Requests that may arrive twice run once: their keys and stored results, stored for 24 hours. */
import { createHash } from "node:crypto";
import type { Knex } from "knex";
import { db, one, query, type Database } from "../../db/connection.server";
import type { Leftovers } from "../../db/sweep.server";
import { DomainError, HeldForApproval, invalid } from "../../errors";
import type { Actor } from "./audit-log.server";

export const oldKeys: Leftovers = {
  table: "idempotency_keys",
  conditionSql: "created_at < now() - interval '24 hours'",
};

export type IdempotentRequest = {
  userId: string;
  /** Chosen by the client; null runs the request every time. */
  key: string | null;
  /** A second request with the same key must have the same input. */
  input: object;
};

/** Options of an action: who asks for it, and the key of the form or call. */
export type ActionOptions = { actor: Actor; idempotencyKey?: string | null };

/** Returns the options of one action of a page whose forms share a key. */
export function optionsOf(
  action: string,
  { actor, idempotencyKey }: ActionOptions,
): Required<ActionOptions> {
  return { actor, idempotencyKey: idempotencyKey ? `${idempotencyKey}-${action}` : null };
}

/** Runs an action in a transaction of its own, once for each key of its actor, and returns its result. */
export async function runOnce<Result extends object | void>(
  { actor, idempotencyKey = null }: ActionOptions,
  input: object,
  run: (trx: Knex.Transaction) => Promise<Result>,
): Promise<Result> {
  const request = { userId: actor.id, key: idempotencyKey, input };
  return (await withIdempotency(db(), request, run)).result;
}

/** Rejects a key that was used with other input. */
export class KeyConflict extends DomainError {
  constructor(readonly firstResult: Readonly<Record<string, unknown>>) {
    super("conflict", "This was already sent with other values. These were not used.");
  }
}

/**
 * Runs a request once for each key of a user and stores its result, in one transaction. A
 * concurrent request with the same key waits for the first one and returns its result.
 * @param database `db()`, or the transaction that the request belongs to
 * @param run returns an object that survives JSON, or nothing
 * @throws DomainError invalid: a malformed key
 * @throws KeyConflict
 * @throws HeldForApproval: the first request waits for a second admin
 */
export async function withIdempotency<Result extends object | void>(
  database: Database,
  request: IdempotentRequest,
  run: (trx: Knex.Transaction) => Promise<Result>,
): Promise<{ result: Result; wasReplayed: boolean }> {
  if (!database.isTransaction)
    return database.transaction((trx) => withIdempotency(trx, request, run));
  const trx = database as Knex.Transaction;
  const { userId, key, input } = request;
  if (key === null) return { result: await run(trx), wasReplayed: false };

  const earlier = await claimIdempotencyKey(trx, { userId, key, input });
  if (typeof earlier?.approvalId === "string")
    throw new HeldForApproval({ approvalId: earlier.approvalId });
  if (earlier) return { result: earlier as Result, wasReplayed: true };
  const result = await run(trx);
  await storeResult(trx, { userId, key }, result ?? {});
  return { result, wasReplayed: false };
}

/** @throws DomainError invalid: the key is malformed */
export function checkIdempotencyKey(key: string | null): void {
  if (key !== null && !isIdempotencyKey(key)) throw invalid(wrongIdempotencyKey);
}

export const wrongIdempotencyKey = "The idempotency key must be 1 to 100 plain characters";

export const isIdempotencyKey = (text: string) => /^[\x21-\x7e]{1,100}$/.test(text);

/** Replaces the result that a repetition of a request gets. */
export async function storeResult(
  trx: Knex,
  { userId, key }: Pick<IdempotentRequest, "userId" | "key">,
  result: object,
): Promise<void> {
  await query(
    trx,
    `update idempotency_keys set result = cast(:result as jsonb)
     where user_id = :userId and key = :key`,
    { userId, key, result: JSON.stringify(result) },
  );
}

/**
 * Returns the stored result of a request, or null for the key of another user or none. The request may have had another
 * input, and its key may be free again: only `withIdempotency` tells a repetition.
 */
export async function findStoredResult<Result extends object>(
  userId: string,
  key: string,
): Promise<Partial<Result> | null> {
  const row = await one<{ result: Partial<Result> }>(
    db(),
    "select result from idempotency_keys where user_id = :userId and key = :key",
    { userId, key },
  );
  return row?.result ?? null;
}

/** Returns the result of the first request with this key, or null if the key was free. */
async function claimIdempotencyKey(
  trx: Knex.Transaction,
  { userId, key, input }: { userId: string; key: string; input: object },
): Promise<Record<string, unknown> | null> {
  checkIdempotencyKey(key);
  const requestHash = createHash("sha256").update(JSON.stringify(input)).digest();
  // A concurrent insert of the same key makes this one wait for the other transaction to end.
  const claim = await one(
    trx,
    `insert into idempotency_keys as k (user_id, key, request_hash, result)
     values (:userId, :key, :requestHash, '{}')
     on conflict (user_id, key) do update
       set request_hash = excluded.request_hash, result = '{}', created_at = now()
       where k.created_at < now() - interval '24 hours'
     returning key`,
    { userId, key, requestHash },
  );
  if (claim) return null;
  const earlier = await one<{ requestHash: Buffer; result: Record<string, unknown> }>(
    trx,
    "select request_hash, result from idempotency_keys where user_id = :userId and key = :key",
    { userId, key },
  );
  if (!earlier?.requestHash.equals(requestHash)) throw new KeyConflict(earlier?.result ?? {});
  return earlier.result;
}
