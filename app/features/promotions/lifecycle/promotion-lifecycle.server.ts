/**
 * Taking promotions out of use and back (rulings 3.6). Each is idempotent, moves the version and
 * leaves one audit row. Locks are taken in one order everywhere: generations before promotions,
 * each by id; so no two of these can wait for each other. The moment of a deletion is taken when
 * the rows are locked: whatever was redeemed before is older, and nothing is redeemed after.
 */
import type { Knex } from "knex";
import { db } from "../../../db/connection.server";
import { DomainError } from "../../../errors";
import { parseRecordId } from "../../../forms/record-id";
import { recordAction, type Actor } from "../../activity/audit-log.server";

type Rows<Row> = { rows: Row[] };

export type LifecycleOptions = { actor: Actor };

/** `changed` is false where it was so already; `covered` counts the codes that changed. */
export type LifecycleResult = { changed: boolean; covered: number };

const unchanged: LifecycleResult = { changed: false, covered: 0 };

export function deactivatePromotion(
  id: string,
  options: LifecycleOptions,
): Promise<LifecycleResult> {
  return switchPromotion(id, false, options);
}

/** For admins only; the route's guard sees to it. */
export function reactivatePromotion(
  id: string,
  options: LifecycleOptions,
): Promise<LifecycleResult> {
  return switchPromotion(id, true, options);
}

/** Deletes a single promotion, or the whole mass generation that the code belongs to. */
export function deletePromotion(id: string, options: LifecycleOptions): Promise<LifecycleResult> {
  return setDeleted(id, true, options);
}

/** For admins only. Of a code of a mass generation: the whole generation. */
export function restorePromotion(id: string, options: LifecycleOptions): Promise<LifecycleResult> {
  return setDeleted(id, false, options);
}

export function deleteMassGeneration(
  id: string,
  options: LifecycleOptions,
): Promise<LifecycleResult> {
  const generationId = parseRecordId(id);
  if (!generationId) throw generationNotFound();
  return db().transaction((trx) => setGenerationDeleted(trx, generationId, true, options));
}

/** For admins only. */
export function restoreMassGeneration(
  id: string,
  options: LifecycleOptions,
): Promise<LifecycleResult> {
  const generationId = parseRecordId(id);
  if (!generationId) throw generationNotFound();
  return db().transaction((trx) => setGenerationDeleted(trx, generationId, false, options));
}

async function switchPromotion(
  id: string,
  isActive: boolean,
  { actor }: LifecycleOptions,
): Promise<LifecycleResult> {
  const promotionId = parseRecordId(id);
  if (!promotionId) throw promotionNotFound();
  return db().transaction(async (trx) => {
    const { rows } = await trx.raw<Rows<{ is_active: boolean; is_deleted: boolean }>>(
      "select is_active, is_deleted from promotions where id = :promotionId for update",
      { promotionId },
    );
    const found = rows[0];
    if (!found) throw promotionNotFound();
    if (found.is_deleted) throw new DomainError("conflict", "This promotion is deleted");
    if (found.is_active === isActive) return unchanged;
    await trx.raw(
      `update promotions set is_active = :isActive, version = version + 1, updated_at = now()
       where id = :promotionId`,
      { promotionId, isActive },
    );
    await recordAction(trx, {
      actor,
      action: isActive ? "promotion.reactivated" : "promotion.deactivated",
      subjectType: "promotion",
      subjectId: promotionId,
      details: { is_active: { from: !isActive, to: isActive } },
    });
    return { changed: true, covered: 1 };
  });
}

async function setDeleted(
  id: string,
  isDeleted: boolean,
  options: LifecycleOptions,
): Promise<LifecycleResult> {
  const promotionId = parseRecordId(id);
  if (!promotionId) throw promotionNotFound();
  return db().transaction(async (trx) => {
    // Which generation a code belongs to never changes: it may be read before anything is locked.
    const { rows } = await trx.raw<Rows<{ mass_generation_id: string | null }>>(
      "select mass_generation_id from promotions where id = :promotionId",
      { promotionId },
    );
    if (!rows[0]) throw promotionNotFound();
    const generationId = rows[0].mass_generation_id;
    return generationId === null
      ? setSingleDeleted(trx, promotionId, isDeleted, options)
      : setGenerationDeleted(trx, generationId, isDeleted, options);
  });
}

async function setSingleDeleted(
  trx: Knex.Transaction,
  promotionId: string,
  isDeleted: boolean,
  { actor }: LifecycleOptions,
): Promise<LifecycleResult> {
  const { rows } = await trx.raw<Rows<object>>(
    "select from promotions where id = :promotionId and is_deleted <> :isDeleted for update",
    { promotionId, isDeleted },
  );
  if (rows.length === 0) return unchanged;
  await trx.raw(
    `update promotions
     set is_deleted = :isDeleted, deleted_at = case when :isDeleted then clock_timestamp() end,
       version = version + 1, updated_at = now()
     where id = :promotionId`,
    { promotionId, isDeleted },
  );
  await recordAction(trx, {
    actor,
    action: isDeleted ? "promotion.deleted" : "promotion.restored",
    subjectType: "promotion",
    subjectId: promotionId,
    details: { is_deleted: { from: !isDeleted, to: isDeleted } },
  });
  return { changed: true, covered: 1 };
}

async function setGenerationDeleted(
  trx: Knex.Transaction,
  generationId: string,
  isDeleted: boolean,
  { actor }: LifecycleOptions,
): Promise<LifecycleResult> {
  const { rows } = await trx.raw<Rows<{ is_deleted: boolean }>>(
    "select is_deleted from mass_generations where id = :generationId for update",
    { generationId },
  );
  if (!rows[0]) throw generationNotFound();
  if (rows[0].is_deleted === isDeleted) return unchanged;
  const codes = await trx.raw<Rows<{ covered: number }>>(
    `with locked as materialized (
       select id from promotions
       where mass_generation_id = :generationId and is_deleted <> :isDeleted
       order by id for update
     ), moment as materialized (
       select count(*), case when :isDeleted then clock_timestamp() end as at from locked
     ), changed as (
       update promotions p
       set is_deleted = :isDeleted, deleted_at = (select at from moment),
         version = version + 1, updated_at = now()
       from locked where p.id = locked.id
       returning 1
     ), generation as (
       update mass_generations
       set is_deleted = :isDeleted, deleted_at = (select at from moment),
         version = version + 1
       where id = :generationId
     )
     select count(*)::integer as covered from changed`,
    { generationId, isDeleted },
  );
  const covered = codes.rows[0]!.covered;
  await recordAction(trx, {
    actor,
    action: isDeleted ? "mass_generation.deleted" : "mass_generation.restored",
    subjectType: "mass_generation",
    subjectId: generationId,
    covered,
    details: { is_deleted: { from: !isDeleted, to: isDeleted } },
  });
  return { changed: true, covered };
}

function promotionNotFound(): DomainError {
  return new DomainError("not_found", "Error: Promotion not found");
}

function generationNotFound(): DomainError {
  return new DomainError("not_found", "Error: Mass generation not found");
}
