import { randomBytes } from "node:crypto";
import type { Knex } from "knex";
import pLimit from "p-limit";
import { db, one } from "../../db/connection.server";
import { siteTimeZone } from "../../db/site.server";
import { vacuum } from "../../db/vacuum.server";
import { settings } from "../settings/settings.server";
import { invalidFields } from "../../errors";
import { formatNumber } from "../../format/number";
import { createSetFrom } from "../assignments/assignments.server";
import { generateCodes } from "../promotions/code";
import type { CreateOptions } from "../promotions/form/create-promotion.server";
import { requireApproval } from "../approvals/approvals.server";
import { withIdempotency } from "../activity/idempotency.server";
import {
  endOfDaySql,
  fieldBindings,
  fieldColumns,
  rejectPastDate,
} from "../promotions/promotion-sql.server";
import {
  rejectWrongStart,
  timesBindings,
  timesColumns,
  timesValues,
} from "../promotions/times.server";
import { createCaps } from "../caps/caps.server";
import { recordAction } from "../activity/audit-log.server";
import { toCampaignData } from "../events/event-data";
import { recordEvent } from "../events/record-event.server";
import type { NewMassGeneration } from "./mass-generation-forms";

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

/**
 * Creates a mass generation with all its codes, machines and groups, or nothing (RULES P2). The
 * machines and groups are stored once, for the generation.
 * @throws DomainError invalid: more codes than the settings allow, a machine that is unknown or deleted, a
 *   group that is gone, a date that has passed; conflict: the key was used for something else
 * @throws HeldForApproval: the codes wait for a second admin
 */
export async function createMassGeneration(
  input: NewMassGeneration,
  options: CreateMassOptions,
): Promise<{ id: string; wasReplayed: boolean }> {
  const { actor, idempotencyKey } = options;
  const { maxCodes } = settings();
  if (input.numCodes > maxCodes)
    throw invalidFields({ num_codes: `Number of codes cannot exceed ${formatNumber(maxCodes)}` });
  const request = { userId: actor.id, key: idempotencyKey, input };
  const { result, wasReplayed } = await withGenerationSlot(async (trx) => {
    options.signal?.throwIfAborted();
    // A request with the same key waits for the first one, which may take long.
    await trx.raw("set local statement_timeout = '120s'; set local lock_timeout = 0");
    return withIdempotency(trx, request, async () => {
      const { name, numCodes: codes } = input;
      await requireApproval(trx, { kind: "mass", name, codes, input }, options);
      await rejectPastDate(trx, input.expirationDate);
      await rejectWrongStart(trx, input);
      const setId = await createSetFrom(trx, input);
      const id = await insertGeneration(trx, { input, userId: actor.id, setId });
      if (input.caps) await createCaps(trx, { type: "mass_generation", id }, input.caps);
      await insertCodes(trx, id, input.numCodes, options);
      await recordAction(trx, actor, "mass_generation.created", id, {
        covered: input.numCodes,
        details: input,
      });
      await recordEvent(trx, {
        type: "campaign.created",
        subject: `mass_generation:${id}`,
        data: { campaign: toCampaignData(input, { id, numCodes: input.numCodes }) },
      });
      return { massGenerationId: id };
    });
  });
  // The answer doesn't wait for it.
  if (!wasReplayed && input.numCodes >= manyCodes) void vacuum("promotions");
  return { id: result.massGenerationId, wasReplayed };
}

/** Each holds a connection for seconds: with more at once, nobody else would get one. */
const limit = pLimit(3);

function withGenerationSlot<Result>(work: (trx: Knex.Transaction) => Promise<Result>) {
  return limit(() => db().transaction(work));
}

async function insertGeneration(
  trx: Knex.Transaction,
  { input, ...ids }: { input: NewMassGeneration; userId: string; setId: string },
): Promise<string> {
  const created = await one<{ id: string }>(
    trx,
    `insert into mass_generations (num_codes, ${fieldColumns()}, ${timesColumns}, expires_at, set_id, created_by)
     values (:numCodes, ${fieldBindings}, ${timesValues},
       case when cast(:lastDay as date) is not null then ${endOfDaySql} end,
       :setId, :userId)
     returning id`,
    { ...input, ...timesBindings(input), lastDay: input.expirationDate, ...ids },
  );
  return created!.id;
}

/**
 * Skips codes that exist already, deleted ones included; the next chunk makes up for them. The codes
 * don't refer to their creator, because PostgreSQL would check the reference of each of them.
 */
async function insertCodes(
  trx: Knex.Transaction,
  generationId: string,
  count: number,
  { random = randomBytes, signal }: Pick<CreateMassOptions, "random" | "signal">,
): Promise<void> {
  let vainAttempts = 0;
  for (let missing = count; missing > 0;) {
    signal?.throwIfAborted();
    const codes = generateCodes(Math.min(missing, chunkSize), random);
    const { rowCount } = await trx.raw<{ rowCount: number }>(
      `insert into promotions (code, mass_generation_id, ${fieldColumns()},
         expires_at, max_uses, period_key, set_id)
       select code, g.id, ${fieldColumns("g.")}, g.expires_at,
         case when g.is_single_use then 1
           when g.discount_type = 'free_drink' then g.discount_value end,
         case when g.is_renewable
           then to_char(now() at time zone :timeZone, 'YYYYMM')::integer else 0 end,
         g.set_id
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
