/**
 * Hides what an import brought, and brings it back with the same file: mass generations at once, codes in chunks, as
 * deleting them does (RULES S7, I4).
 */
import type { Knex } from "knex";
import { db, one, query } from "../../../db/connection.server";
import { allowLongStatements } from "../../../db/timeouts.server";
import { conflict } from "../../../errors";
import { formatCode } from "../../../format/promotion";
import { lockGenerations } from "../../promotions/lifecycle/change-codes.server";
import type { Stayed } from "../import";
import { ImportOutdated, type ImportRun } from "../import-steps.server";
import { readStayed } from "./staying.server";

/** Codes of one transaction: a redemption waits for the lock of its code. */
const chunkSize = 500;

/** Whether a code belongs to a mass generation of the import: it came with it, or was added later (RULES P8). */
const isOfGenerationSql =
  "mass_generation_id = any(array(select id from mass_generations where import_id = :importId))";

/** Selects a redeemed code of the import. Each part reads an index of used codes, because the codes can be millions. */
export const redeemedSql = `(select from promotions where ${isOfGenerationSql} and use_rank > 0 limit 1)
  union all
  (select from promotions
   where import_id = :importId and mass_generation_id is null and not is_deleted and use_rank > 0 limit 1)`;

/**
 * Hides the campaigns of an import. Those that were deleted before are detached from it, because only admins restore
 * them: they get its negative id, by which the limit of codes leaves approved ones out (RULES Y1).
 * @throws DomainError conflict: something was redeemed
 */
export async function hideImported(trx: Knex.Transaction, importId: string): Promise<void> {
  // All rows of the import are read.
  await allowLongStatements(trx);
  // The codes of a generation keep their import, because they can be many.
  await query(
    trx,
    "update mass_generations set import_id = -import_id where import_id = :importId and is_deleted",
    { importId },
  );
  await query(
    trx,
    `update promotions set import_id = -import_id
     where import_id = :importId and mass_generation_id is null and is_deleted`,
    { importId },
  );
  await query(
    trx,
    `update mass_generations set is_deleted = true, deleted_at = clock_timestamp(), version = version + 1
     where import_id = :importId and not is_deleted`,
    { importId },
  );
  if (await one(trx, redeemedSql, { importId }))
    throw conflict(
      "Codes of this import were redeemed, so it can't be undone. Delete its campaigns instead.",
    );
}

/** Deletes the codes, too. Can be repeated. */
export async function undoCodes(importId: string, signal: AbortSignal): Promise<Stayed> {
  // No redemption is younger than the deletion of its mass generation (RULES R7).
  await query(
    db(),
    "update mass_generations set deleted_at = clock_timestamp() where import_id = :importId and is_deleted",
    { importId },
  );
  for (const codesSql of [importedCodesSql, addedCodesSql])
    for (let after: string | null = "0"; after !== null;) {
      signal.throwIfAborted();
      after = await hideChunk(importId, codesSql, after);
    }
  const { count, named } = await readStayed(
    db(),
    importId,
    `select p.code as name, case when g.id is null then 'It was redeemed meanwhile'
       else 'Its campaign was restored meanwhile' end as reason
     from promotions p left join mass_generations g on g.id = p.mass_generation_id
     where p.import_id = :importId and not coalesce(g.is_deleted, p.is_deleted) order by p.id`,
  );
  return { count, named: named.map(({ name, reason }) => ({ name: formatCode(name), reason })) };
}

const importedCodesSql =
  "select id, mass_generation_id from promotions where import_id = :importId and id > :after";

/** Codes that were added later (RULES P8): they go and come back with the import, too. */
const addedCodesSql = `select p.id, p.mass_generation_id
  from mass_generations g cross join lateral (
    select id, mass_generation_id from promotions
    where mass_generation_id = g.id and import_id is null and id > :after order by id limit ${chunkSize}) p
  where g.import_id = :importId and exists (select from added_codes a where a.mass_generation_id = g.id)`;

/**
 * A single code that was redeemed meanwhile stays, and so does a mass generation that was restored meanwhile.
 * @returns the last id of the chunk; null if it was the last one
 */
async function hideChunk(
  importId: string,
  codesSql: string,
  after: string,
): Promise<string | null> {
  return db().transaction(async (trx) => {
    const codes = await query<{ id: string; massGenerationId: string | null }>(
      trx,
      `${codesSql} order by id limit ${chunkSize}`,
      { importId, after },
    );
    const ids = codes.map(({ id }) => id);
    const generations = new Set(codes.flatMap(({ massGenerationId }) => massGenerationId ?? []));
    await lockGenerations(trx, `{${[...generations].join()}}`);
    await query(
      trx,
      "select from promotions where id = any(cast(:ids as bigint[])) order by id for no key update",
      { ids },
    );
    await query(
      trx,
      `update promotions p set import_id = :importId, is_deleted = true,
         deleted_at = coalesce(deleted_at, clock_timestamp()), version = version + 1, updated_at = now()
       where id = any(cast(:ids as bigint[])) and (not is_deleted or import_id is null)
         and case when mass_generation_id is null then activation_count = 0
           else (select g.is_deleted from mass_generations g where g.id = p.mass_generation_id) end`,
      { ids, importId },
    );
    await query(
      trx,
      "update imports set position = least(rows, position + :done) where id = :importId",
      {
        importId,
        done: codes.length,
      },
    );
    return codes.length < chunkSize ? null : codes.at(-1)!.id;
  });
}

const revivedAtOnce = 10_000;

/** @throws ImportOutdated: the codes are not those of the file any more, or a campaign of theirs was restored */
export async function reviveCodes(
  trx: Knex.Transaction,
  { importId, onProgress, signal }: ImportRun,
  undoneId: string,
): Promise<void> {
  const generations = await query<{ isHidden: boolean }>(
    trx,
    `select is_deleted and import_id > 0 as is_hidden from mass_generations
     where import_id in (cast(:undoneId as bigint), -cast(:undoneId as bigint)) order by id for no key update`,
    { undoneId },
  );
  if (!generations.every(({ isHidden }) => isHidden)) throw new ImportOutdated();
  await query(
    trx,
    `update mass_generations set is_deleted = false, deleted_at = null, import_id = :importId,
       version = version + 1
     where import_id = :undoneId`,
    { importId, undoneId },
  );
  let done = 0;
  for (let after: string | null = "0"; after !== null;) {
    signal.throwIfAborted();
    const chunk: { codes: number; last: string | null } = (await one(
      trx,
      `with revived as (
         update promotions set is_deleted = false, deleted_at = null, import_id = :importId,
           version = version + 1, updated_at = now()
         where id in (select id from promotions
           where import_id = :undoneId and id > :after and (is_deleted or mass_generation_id is not null)
           order by id limit ${revivedAtOnce})
         returning id)
       select count(*)::integer as codes, max(id) as last from revived`,
      { importId, undoneId, after },
    ))!;
    done += chunk.codes;
    await onProgress(done);
    after = chunk.codes < revivedAtOnce ? null : chunk.last;
  }
  const left = await query(
    trx,
    `select line from import_rows r where r.import_id = :importId and not exists (
       select from promotions p where p.code = r.code and p.import_id in (:importId, :undoneId)) limit 1`,
    { importId, undoneId },
  );
  if (left.length > 0) throw new ImportOutdated();
  // Single codes that stayed are redeemed meanwhile, so they are locked last.
  await query(
    trx,
    `update promotions set import_id = :importId, version = version + 1, updated_at = now()
     where import_id = :undoneId and mass_generation_id is null and not is_deleted`,
    { importId, undoneId },
  );
}
