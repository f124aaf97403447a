/**
 * Carries out an action on codes. The rows of whole generations change first, in the transaction
 * that also writes the audit row, so that the action takes effect at once. Few codes change in the
 * same transaction. The rows of many follow in chunks, each in a transaction of its own, because a
 * redemption waits for the lock of its code. The operation is a row that holds the exact ids and the
 * progress; whoever locks it does the next chunk. A job continues it where no request does.
 *
 * A bulk action is stored as such a row when its confirmation counts the codes, and starts when it is
 * confirmed.
 *
 * Locks are taken in one order everywhere: groups, operation, generations, promotions, each by id.
 *
 * No redemption is younger than the deletion of its code. A code's deleted_at is taken under the
 * lock of its row. A redemption that reads the generation before its deletion commits may start
 * after the generation's first deleted_at, so the first chunk sets that anew.
 */
import type { Knex } from "knex";
import { db, one, query } from "../../../db/connection.server";
import { addJob, type Job, type JobKind } from "../../../db/jobs.server";
import { recordWrite } from "../../../db/replica.server";
import { lockSharedSets } from "../../assignments/assignment-sets.server";
import { withGroupLocks } from "../../machines/machine-groups.server";
import { type ActionValues, noIds, noValues, parseIds } from "./action-values";
import type { BulkOutcome } from "./bulk-actions";
import {
  actionBindings,
  actionContextSql,
  actionRules,
  meanwhileRefusal,
  refusalSql,
} from "./lifecycle-actions.server";
import type { Operation } from "./plan-operation.server";
import { describeRefusals, mergeRefusals, type RefusalCode } from "./refusals.server";
import { storeOperation } from "./stored-operations.server";

/** Numbers of codes that chunks change. Tests set other ones, and what runs between chunks. */
export const chunking = {
  /** Number of codes that change at once, and in the first chunk of more. */
  firstSize: 250,
  /** A smaller chunk would take hardly less time, because each costs some statements. */
  minSize: 100,
  maxSize: 1_000,
  /** Called after each committed chunk but the last. */
  afterChunk: async () => {},
};

/** Aim for the time that the rows of a chunk stay locked. A busy machine takes twice as long at times. */
const chunkMs = 100;

/** A request that waits for its codes to follow answers by then, and the job goes on. Clients wait for 10 s. */
const maxRequestSeconds = 8;

export const requestSignal = () => AbortSignal.timeout(maxRequestSeconds * 1_000);

/**
 * Changes the rows of whole generations, and the codes too if they are few.
 * @param options.isDeferred lets all codes follow
 * @returns the id of the operation whose codes are to follow, or null when everything is done
 */
export async function startOperation(
  trx: Knex.Transaction,
  operation: Operation,
  {
    actorId,
    preparedId = null,
    isDeferred = false,
  }: { actorId: string; preparedId?: string | null; isDeferred?: boolean },
): Promise<{ operationId: string | null; outcome: BulkOutcome; ids: string[] }> {
  const { action, generationIds } = operation;
  const ids = parseIds(operation.ids);
  const { set, setOnGeneration = set, isOnGeneration, prepare } = actionRules[action];
  if (generationIds !== noIds) {
    await lockGenerations(trx, generationIds);
    await query(
      trx,
      `with ${actionContextSql}
       update mass_generations g set ${setOnGeneration}, version = version + 1
       where id = any(cast(:generationIds as bigint[])) and not (${isOnGeneration})`,
      actionBindings(operation.values, generationIds),
    );
  }
  const values =
    prepare && ids.length > 0
      ? await prepare(trx, operation.ids, operation.values)
      : operation.values;
  const isDone = ids.length <= (isDeferred ? 0 : chunking.firstSize);
  const { skipped, changedIds } = isDone
    ? await changeCodes(trx, { ...operation, values }, operation.ids, true)
    : { skipped: [], changedIds: ids };
  const started = { outcome: withSkipped(operation.outcome, skipped), ids: changedIds };
  // The deactivation of a generation is stored, so that its undo knows the codes.
  const isStored = preparedId !== null || (action === "deactivate" && generationIds !== noIds);
  if (isDone && !isStored) return { operationId: null, ...started };
  const stored = { ...operation, values, outcome: started.outcome, ids: `{${changedIds.join()}}` };
  const state = isDone ? "done" : "running";
  const operationId = await storeOperation(trx, stored, { actorId, preparedId, state });
  // Only a request that starts a prepared operation doesn't wait for its end.
  const delaySeconds = preparedId === null ? maxRequestSeconds : 0;
  if (!isDone) await addJob(trx, { kind: "bulk_action", subject: operationId, delaySeconds });
  return { operationId: isDone ? null : operationId, ...started };
}

/** Does the chunks that are left, until the process stops. */
export const bulkActionJob: JobKind<Job & { subject: string }> = {
  concurrencyLimit: 2,
  async run({ subject }, signal) {
    const outcome = await runChunks(subject, signal);
    if (outcome) await recordWrite();
    return { state: outcome ? "done" : "released" };
  },
};

/**
 * Does the chunks that are left, with whoever else does them: smaller ones where each code takes long.
 * @param signal ends it after a chunk: the process stops, or a request has waited long enough
 * @returns the outcome of the whole operation, or null if the signal ended it before
 */
export async function runChunks(
  operationId: string,
  signal?: AbortSignal,
): Promise<BulkOutcome | null> {
  const { firstSize, minSize, maxSize } = chunking;
  let size = firstSize;
  while (!signal?.aborted) {
    const startedAt = performance.now();
    const chunk = await advance(operationId, size);
    if (chunk.isDone) return chunk.outcome;
    await chunking.afterChunk();
    const growth = Math.min(2, chunkMs / (performance.now() - startedAt));
    size = Math.round(Math.min(maxSize, Math.max(minSize, size * growth)));
  }
  return null;
}

async function advance(operationId: string, size: number) {
  const stored = await one<{ groupIds: string | null }>(
    db(),
    "select parameters ->> 'groupIds' as group_ids from lifecycle_operations where id = :operationId",
    { operationId },
  );
  return withGroupLocks(parseIds(stored?.groupIds ?? noIds), async (trx, groups) => {
    const row = (await one<
      Omit<Operation, "values"> & {
        parameters: ActionValues;
        startedAt: string;
        position: number;
        isDone: boolean;
      }
    >(
      trx,
      `select action, parameters, generation_ids::text as generation_ids, outcome, position,
         started_at::text,
         promotion_ids[position + 1 : position + :size]::text as ids,
         done_at is not null as is_done
       from lifecycle_operations where id = :operationId for update`,
      { operationId, size },
    ))!;
    if (row.isDone) return row;
    const isFirst = row.position === 0;
    // A group that was deleted since is not assigned any more.
    const groupIds = `{${groups.map(({ id }) => id).join()}}`;
    const values = { ...noValues, ...row.parameters, groupIds };
    const { skipped } = await changeCodes(trx, { ...row, values }, row.ids, isFirst);
    const outcome = withSkipped(row.outcome, skipped);
    const ids = parseIds(row.ids);
    const remaining = row.action === "deactivate" ? idsToUndo(ids, skipped) : ids;
    const after = await one<{ position: number; isDone: boolean }>(
      trx,
      // Read after the start has committed: a set that is copied later has what the start changed.
      `update lifecycle_operations set position = position + :remaining, outcome = :outcome,
         promotion_ids = case when :isShorter then promotion_ids[: position]
           || cast(:remainingIds as bigint[]) || promotion_ids[position + :size + 1 :] else promotion_ids end,
         parameters = case when :isFirst then parameters || jsonb_build_object('lastSet',
           nextval(pg_get_serial_sequence('assignment_sets', 'id'))::text) else parameters end,
         done_at = case when position + :size >= cardinality(promotion_ids) then now() end
       where id = :operationId returning position, done_at is not null as is_done`,
      {
        operationId,
        isFirst,
        size: ids.length,
        isShorter: remaining.length < ids.length,
        remaining: remaining.length,
        remainingIds: `{${remaining.join()}}`,
        outcome: JSON.stringify(outcome),
      },
    );
    return { ...after!, outcome };
  });
}

/**
 * Leaves out codes that a deactivation skipped. Those whose whole campaign was changed meanwhile stay, because an undo leaves out
 * such a campaign, and the list of all ids would be written anew in each chunk.
 */
function idsToUndo(ids: readonly string[], skipped: readonly Skipped[]): readonly string[] {
  const leftOut = skipped.filter(({ refusal }) => refusal !== "changed_campaign");
  const leftOutIds = new Set(leftOut.map(({ id }) => id));
  return ids.filter((id) => !leftOutIds.has(id));
}

type Skipped = {
  id: string;
  name: string;
  code: string;
  generationId: string | null;
  refusal: RefusalCode;
};

/** Changes those of the codes that still qualify; the others are skipped, with their refusals. */
async function changeCodes(
  trx: Knex.Transaction,
  {
    action,
    values,
    generationIds,
    startedAt = null,
  }: Pick<Operation, "action" | "values" | "generationIds"> & { startedAt?: string | null },
  ids: string,
  isFirst: boolean,
): Promise<{ skipped: Skipped[]; changedIds: string[] }> {
  const { set, setOnCode, apply } = actionRules[action];
  await lockGenerations(trx, generationIds);
  if (apply) await lockSharedSets(trx, ids);
  await query(
    trx,
    `select count(*) from (
       select from promotions where id = any(cast(:ids as bigint[])) order by id
       for ${apply ? "update" : "no key update"}) locked`,
    { ids },
  );
  const assignments = [set, setOnCode, "version = version + 1", "updated_at = now()"];
  const changed = `update promotions p set ${assignments.filter(Boolean).join(", ")}
    from judged where judged.id = p.id and judged.refusal is null`;
  const restamped = `update mass_generations set deleted_at = (select at from locked_at)
    where :isFirst and is_deleted and id = any(cast(:generationIds as bigint[]))`;
  const skipped = await query<Skipped>(
    trx,
    `with ${actionContextSql}, judged as materialized (
       select p.id, p.name, p.code, p.mass_generation_id as generation_id,
         ${refusalSql(action, [meanwhileRefusal(action)])} as refusal
       from promotions p left join mass_generations g on g.id = p.mass_generation_id
       where p.id = any(cast(:ids as bigint[]))
     ) ${apply ? "" : `, changed as (${changed}), restamped as (${restamped})`}
     select * from judged where refusal is not null order by id`,
    {
      ...actionBindings(values, generationIds),
      ids,
      startedAt,
      isFirst: isFirst && action === "delete",
    },
  );
  const skippedIds = new Set(skipped.map(({ id }) => id));
  const changedIds = parseIds(ids).filter((id) => !skippedIds.has(id));
  if (apply && changedIds.length > 0) await apply(trx, `{${changedIds.join()}}`, values);
  return { skipped, changedIds };
}

/** Locks generations against other changes and against added codes. */
export async function lockGenerations(trx: Knex.Transaction, generationIds: string): Promise<void> {
  if (generationIds === noIds) return;
  await query(
    trx,
    `select from mass_generations where id = any(cast(:generationIds as bigint[]))
     order by id for no key update`,
    { generationIds },
  );
}

/** Moves codes that were counted, but no longer qualified when their turn came, to the refusals. */
function withSkipped(outcome: BulkOutcome, skipped: Skipped[]): BulkOutcome {
  if (skipped.length === 0) return outcome;
  const singles = skipped.filter(({ generationId }) => generationId === null).length;
  return {
    ...outcome,
    codes: outcome.codes - skipped.length,
    singles: outcome.singles - singles,
    generationCodes: outcome.generationCodes - (skipped.length - singles),
    refusals: mergeRefusals(
      outcome.refusals,
      describeRefusals({
        reasons: skipped.map(({ refusal }) => ({ reason: refusal, count: 1 })),
        shown: skipped.map(({ id, name, code, refusal }) => ({ id, name, code, reason: refusal })),
      }),
    ),
  };
}
