/** The codes of mass generations: made at first, or added later. */
import { randomBytes } from "node:crypto";
import type { Knex } from "knex";
import pLimit from "p-limit";
import { db } from "../../db/connection.server";
import { siteTimeZone } from "../../db/site.server";
import { vacuumPromotions } from "../../db/vacuum.server";
import { withIdempotency } from "../activity/idempotency.server";
import { generateCodes, type CodePattern } from "../promotions/code";
import type { CreateOptions } from "../promotions/form/create-promotion.server";
import { fieldColumns } from "../promotions/field-columns.server";

/** Codes of one statement: as fast as all at once, and it can still be aborted soon. */
const chunkSize = 2_500;

/** The number of new codes from which on the database reads lists differently. */
const manyCodes = 5_000;

export type CreateMassOptions = CreateOptions & {
  /** Nothing is created when it is aborted before the end. */
  signal?: AbortSignal;
  /** Cryptographic random source of the codes. */
  random?: (size: number) => Uint8Array;
};

/** Limits generations at once: each holds one of ten connections for seconds. */
const limit = pLimit(3);

/**
 * Runs the transaction that makes codes, once for each idempotency key.
 * @param request.count number of the codes
 * @param work returns the id of their mass generation
 */
export async function makeCodes(
  { count, input }: { count: number; input: object },
  { actor, idempotencyKey, signal }: CreateMassOptions,
  work: (trx: Knex.Transaction) => Promise<string>,
): Promise<{ id: string; wasReplayed: boolean }> {
  const request = { userId: actor.id, key: idempotencyKey, input };
  const makeOnce = async (trx: Knex.Transaction) => {
    signal?.throwIfAborted();
    // A request with the same key waits for the first one, which may take long.
    await trx.raw("set local statement_timeout = '120s'; set local lock_timeout = 0");
    return withIdempotency(trx, request, async () => {
      return { massGenerationId: await work(trx), codes: count };
    });
  };
  const { result, wasReplayed } = await limit(() => db().transaction(makeOnce));
  // Lets the database read many new codes as fast as others; the answer doesn't wait for it.
  if (!wasReplayed && count >= manyCodes) void vacuumPromotions();
  return { id: result.massGenerationId, wasReplayed };
}

/**
 * Skips codes that exist already, deleted ones included; the next chunk makes up for them. The codes
 * don't refer to their creator, because PostgreSQL would check the reference of each of them. Codes of a new generation are
 * as old as it, which lists rely on. Added ones have the time of their statement: those that waited for a deactivation of
 * their generation were added after it.
 */
export async function insertCodes(
  trx: Knex.Transaction,
  generationId: string,
  { count, pattern }: { count: number; pattern?: CodePattern | null },
  { random = randomBytes, signal }: Pick<CreateMassOptions, "random" | "signal">,
): Promise<void> {
  let vainAttempts = 0;
  for (let missing = count; missing > 0;) {
    signal?.throwIfAborted();
    const codes = generateCodes(Math.min(missing, chunkSize), random, pattern);
    const { rowCount } = await trx.raw<{ rowCount: number }>(
      `insert into promotions (code, mass_generation_id, ${fieldColumns()},
         expires_at, max_uses, period_key, set_id, is_active, created_at)
       select code, g.id, ${fieldColumns("g.")}, g.expires_at,
         case when g.is_single_use then 1
           when g.discount_type = 'free_drink' then g.discount_value end,
         case when g.is_renewable
           then to_char(now() at time zone :timeZone, 'YYYYMM')::integer else 0 end,
         g.set_id, g.is_active,
         case when g.created_at = now() then g.created_at else statement_timestamp() end
       from mass_generations g, unnest(cast(:codes as text[])) as code
       where g.id = :generationId
       on conflict (code) do nothing`,
      { generationId, codes: `{${codes.join(",")}}`, timeZone: siteTimeZone() },
    );
    missing -= rowCount;
    vainAttempts = rowCount > 0 ? 0 : vainAttempts + 1;
    if (vainAttempts === 5)
      throw new Error("All new codes were already taken five times: the random source is broken");
  }
}
