/** Bulk actions: prepared for their confirmation, then started. */
import type { Knex } from "knex";
import { type Database, db, one, query, readValue } from "../../../db/connection.server";
import { allowLongStatements } from "../../../db/timeouts.server";
import { conflict, invalid, notFound } from "../../../errors";
import { parseRecordId } from "../../../forms/record-id";
import { type Actor, recordAction } from "../../activity/audit-log.server";
import { readGenerationsSince } from "../../activity/past-actions.server";
import { type ActionOptions, runOnce } from "../../activity/idempotency.server";
import { findTargets } from "../../assignments/assignments.server";
import { withGroupLocks } from "../../machines/machine-groups.server";
import type { Role } from "../../sign-in/user";
import { selectedSql } from "../list/selected-promotions.server";
import { readTimes } from "../form/times-form.server";
import { rejectWrongStart, rejectPastDate } from "../times.server";
import { type ActionValues, noIds, noValues, parseIds } from "./action-values";
import {
  type LifecycleAction,
  maxBulkCodes,
  type PromotionSelection,
  tooManyCodes,
} from "./bulk-actions";
import type { BulkValues } from "./bulk-form";
import { lockGenerations } from "./change-codes.server";
import {
  actionBindings,
  actionContextSql,
  actionRules,
  auditNameOf,
  rejectOthersThanAdmins,
} from "./lifecycle-actions.server";
import { startOperation } from "./lifecycle-operations.server";
import { finishEarlier } from "./pending-operations.server";
import { planOperation } from "./plan-operation.server";
import { mergeRefusals } from "./refusals.server";
import {
  findOperation,
  prepareOperation,
  readCodesToUndo,
  storeOperation,
  type StoredOperation,
} from "./stored-operations.server";

type BulkActor = Actor & { role: Role };

/** Limits what an action on selected codes changes: these, and the other codes of their campaigns. */
const maxCoveredCodes = 1_000_000;

/**
 * Stores exactly which codes an action would change now, for its confirmation.
 * @returns the id of the operation
 * @throws DomainError forbidden; invalid: too many codes
 */
export async function prepareBulk(
  action: LifecycleAction,
  selection: PromotionSelection,
  actor: BulkActor,
): Promise<string> {
  rejectOthersThanAdmins(action, actor);
  const ids = await choose(selection);
  const generationIds = await findWhole(db(), action, ids);
  await finishEarlier(action, { ids, generationIds });
  return db().transaction(async (trx) => {
    await allowLongStatements(trx);
    const options = { ids, generationIds, maxCodes: maxCoveredCodes, isStarting: false };
    const plan = await planOperation(trx, action, noValues, options);
    return prepareOperation(trx, plan, actor.id);
  });
}

/** Returns a bulk action of this user in its present state, locked in `trx`. @throws DomainError not_found */
export async function findBulk(userId: string, id: string, trx?: Knex.Transaction) {
  const isLocked = trx !== undefined;
  const operation = await findOperation(trx ?? db(), parseRecordId(id), userId, { isLocked });
  if (operation) return operation;
  throw notFound("This bulk action has expired. Select the codes again in the QR List.");
}

/**
 * Starts a prepared action on the codes that its confirmation counted, without those that no longer
 * qualify; a repetition changes nothing. Whole generations have changed when it returns; the codes
 * of many are to follow by `runChunks`.
 * @throws DomainError not_found, forbidden, invalid, conflict; then nothing is changed
 */
export async function startBulk(
  id: string,
  values: BulkValues,
  { actor }: { actor: BulkActor },
): Promise<void> {
  // Others can have started something since the confirmation was opened.
  const confirmed = await findOperation(db(), parseRecordId(id), actor.id, { withIds: true });
  if (confirmed?.state === "prepared") {
    const generationIds = await findStillWhole(db(), noValues, confirmed);
    await finishEarlier(confirmed.action, { ids: confirmed.ids, generationIds });
  }
  await withGroupLocks(values.groups, async (trx, lockedGroups) => {
    await allowLongStatements(trx);
    const prepared = await findBulk(actor.id, id, trx);
    if (prepared.state !== "prepared") return;
    const { action } = prepared;
    rejectOthersThanAdmins(action, actor);
    await rejectPastDate(trx, values.expirationDate);
    const targets = await findTargets(trx, values, lockedGroups, "Nothing was changed.", {
      withDeleted: action !== "assign",
    });
    const actionValues = {
      ...noValues,
      lastDay: values.expirationDate,
      times: await readChangedTimes(trx, values),
      machines: values.machines,
      machineIds: `{${targets.flatMap(({ machineId }) => machineId ?? []).join()}}`,
      groups: targets.flatMap(({ groupName }) => groupName ?? []),
      groupIds: `{${targets.flatMap(({ groupId }) => groupId ?? []).join()}}`,
    };
    // Codes that are being added are committed or not yet begun from here on.
    await lockGenerations(trx, prepared.generationIds);
    const generationIds = await findStillWhole(trx, actionValues, prepared);
    await startPrepared(trx, { ...prepared, generationIds }, actionValues, actor);
  });
}

async function startPrepared(
  trx: Knex.Transaction,
  prepared: Pick<StoredOperation, "id" | "action" | "ids" | "generationIds" | "outcome">,
  values: ActionValues,
  actor: BulkActor,
): Promise<void> {
  const { id: preparedId, action, ids, outcome, generationIds } = prepared;
  const plan = await planOperation(trx, action, values, { ids, generationIds });
  const details = await actionRules[action].details(trx, plan.ids, plan.values);
  const refusals = mergeRefusals(outcome.refusals, plan.outcome.refusals);
  const started = await startOperation(
    trx,
    { ...plan, outcome: { ...plan.outcome, refusals } },
    { actorId: actor.id, preparedId },
  );
  if (started.outcome.codes === 0 && plan.generationIds === noIds) return;
  await recordAction(trx, actor, `promotion.${auditNameOf(action, plan.values)}`, started.ids, {
    details: { ...details, generations: await countByGeneration(trx, started.ids, generationIds) },
  });
}

/** Whether a person may undo a bulk action of theirs: a deactivation that has ended, others than admins for ten minutes. */
export function mayUndoBulk(
  { action, state, outcome, generationIds, isRecent }: StoredOperation,
  { role }: { role: Role },
): boolean {
  if (action !== "deactivate" || state !== "done") return false;
  return (outcome.codes > 0 || generationIds !== noIds) && (role === "admin" || isRecent);
}

/**
 * Reactivates the codes that a bulk action deactivated, and those that were added to its campaigns since, without those
 * that were deactivated again.
 * @returns the id of the bulk action that does so
 * @throws DomainError not_found; conflict: it can't be undone, or no longer
 */
export async function undoBulk(
  id: string,
  options: ActionOptions & { actor: BulkActor },
): Promise<string> {
  const { actor } = options;
  const { generationIds: wholeIds } = await findBulk(actor.id, id);
  await finishEarlier("reactivate", { generationIds: wholeIds });
  const undone = await runOnce(options, { undoneBulk: id }, async (trx) => {
    await allowLongStatements(trx);
    const bulk = await findBulk(actor.id, id, trx);
    if (!mayUndoBulk(bulk, actor))
      throw conflict("This can no longer be undone. Ask an admin to do it.");
    await lockGenerations(trx, bulk.generationIds);
    const generationIds = await findStillInactive(trx, bulk);
    const ids = await readCodesToUndo(trx, { ...bulk, generationIds });
    const plan = await planOperation(trx, "reactivate", noValues, { ids, generationIds });
    const stored = { actorId: actor.id, preparedId: null, state: "prepared" } as const;
    const undo = { ...plan, id: await storeOperation(trx, plan, stored) };
    await startPrepared(trx, undo, noValues, actor);
    return { id: undo.id };
  });
  return undone.id;
}

/** Finds generations that an action changes as a whole, because all their codes are selected. */
async function findWhole(
  database: Database,
  action: LifecycleAction,
  ids: string,
): Promise<string> {
  const { whole } = actionRules[action];
  if (!whole) return noIds;
  return readGenerationIds(
    database,
    `select g.id from promotions p join mass_generations g on g.id = p.mass_generation_id
     where p.id = any(cast(:ids as bigint[])) and not g.is_deleted and ${whole.generation}
     group by g.id having count(*) = g.num_codes and bool_or(${whole.codes})`,
    { ...actionBindings(noValues, noIds), ids },
  );
}

/** Finds those of them that can still change, and whose codes that follow are all among the prepared ones. */
async function findStillWhole(
  database: Database,
  values: ActionValues,
  { action, ids, generationIds }: StoredOperation,
): Promise<string> {
  const { whole } = actionRules[action];
  if (!whole) return noIds;
  return readGenerationIds(
    database,
    `select g.id from promotions p join mass_generations g on g.id = p.mass_generation_id
       left join unnest(cast(:ids as bigint[])) as prepared (id) on prepared.id = p.id
     where g.id = any(cast(:generationIds as bigint[])) and not g.is_deleted
       and ${whole.generation} and ${whole.codes}
     group by g.id having count(*) = count(prepared.id)`,
    { ...actionBindings(values, generationIds), ids },
  );
}

/** Finds generations of a deactivation that were not deactivated again since, nor deleted. */
async function findStillInactive(
  trx: Knex.Transaction,
  { generationIds, startedAt }: StoredOperation,
): Promise<string> {
  const deactivatedSince = new Set(await readGenerationsSince(trx, "deactivated", startedAt!));
  const others = parseIds(generationIds).filter((id) => !deactivatedSince.has(id));
  return readGenerationIds(
    trx,
    `select g.id from mass_generations g
     where g.id = any(cast(:generationIds as bigint[])) and not g.is_deleted and not g.is_active`,
    actionBindings(noValues, `{${others.join()}}`),
  );
}

/** Returns the ids that a statement about `actionContextSql` selects, as an array of PostgreSQL. */
function readGenerationIds(
  database: Database,
  idsSql: string,
  bindings: Record<string, unknown>,
): Promise<string> {
  return readValue(
    database,
    `with ${actionContextSql}
     select coalesce(array_agg(id)::text, '${noIds}') from (${idsSql}) generations`,
    bindings,
  );
}

/** Reads what changes of the start and the hours. @throws DomainError invalid */
async function readChangedTimes(trx: Knex.Transaction, { times }: BulkValues) {
  if (!times) return null;
  const { changes_start, changes_hours, ...fields } = times;
  const { startsAt, schedule } = readTimes({
    ...fields,
    ...(!changes_start && { starts_at: "" }),
    ...(!changes_hours && { hours_days: [], hours_from: [], hours_to: [], closed_on: "" }),
  });
  await rejectWrongStart(trx, { startsAt, expirationDate: null });
  return { ...(changes_start && { startsAt }), ...(changes_hours && { schedule }) };
}

/** Counts the codes of each mass generation, whose history shows the action too. */
async function countByGeneration(trx: Database, ids: readonly string[], generationIds: string) {
  const counts = await query<{ id: string; codes: number }>(
    trx,
    `select id, sum(codes)::integer as codes from (
       select mass_generation_id as id, 1 as codes from promotions
       where id = any(cast(:ids as bigint[])) and mass_generation_id is not null
       union all select unnest(cast(:generationIds as bigint[])), 0) counted
     group by id order by id`,
    { ids, generationIds },
  );
  const whole = new Set(parseIds(generationIds));
  return counts.map((count) => (whole.has(count.id) ? { ...count, is_whole: true } : count));
}

async function choose(selection: PromotionSelection): Promise<string> {
  const { withList, bindings } = selectedSql(selection, "id", maxBulkCodes + 1);
  const selected = await one<{ ids: string; count: number }>(
    db(),
    `with ${withList}
     select count(*)::integer as count, coalesce(array_agg(id order by id)::text, '${noIds}') as ids
     from selected`,
    bindings,
  );
  if (selected!.count > maxBulkCodes) throw invalid(tooManyCodes(maxBulkCodes));
  return selected!.ids;
}
