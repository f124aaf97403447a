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
import { db, one, query, readValue } from "../../../db/connection.server";
import { addJob, type Job, type JobKind } from "../../../db/jobs.server";
import { recordWrite } from "../../../db/replica.server";
import { withGroupLocks } from "../../machines/machine-groups.server";
import { type ActionValues, noIds, noValues, parseIds } from "./action-values";
import type { BulkOutcome } from "./bulk-actions";
import { changeCodes, lockGenerations, type Skipped, withSkipped } from "./change-codes.server";
import { actionBindings, actionContextSql, actionRules } from "./lifecycle-actions.server";
import type { Operation } from "./plan-operation.server";
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
 * @param options.isDeferred leaves all codes to chunks after the commit
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
  await changeGenerations(trx, operation);
  const ids = parseIds(operation.ids);
  const { prepare } = actionRules[operation.action];
  const values =
    prepare && ids.length > 0
      ? await prepare(trx, operation.ids, operation.values)
      : operation.values;
  const isDone = ids.length <= (isDeferred ? 0 : chunking.firstSize);
  const { skipped, changedIds } = isDone
    ? await changeCodes(trx, { ...operation, values }, { isFirst: true })
    : { skipped: [], changedIds: ids };
  const outcome = withSkipped(operation.outcome, skipped);
  const started = { ...operation, values, outcome, ids: `{${changedIds.join()}}` };
  const operationId = await storeStarted(trx, started, { actorId, preparedId, isDone });
  return { operationId, outcome, ids: changedIds };
}

async function changeGenerations(
  trx: Knex.Transaction,
  { action, values, generationIds }: Operation,
): Promise<void> {
  if (generationIds === noIds) return;
  const { set, setOnGeneration = set, isOnGeneration } = actionRules[action];
  await lockGenerations(trx, generationIds);
  await query(
    trx,
    `with ${actionContextSql}
     update mass_generations g set ${setOnGeneration}, version = version + 1
     where id = any(cast(:generationIds as bigint[])) and not (${isOnGeneration})`,
    actionBindings(values, generationIds),
  );
}

/**
 * Stores an operation that was prepared, whose codes are to follow, or whose undo has to know the codes.
 * @returns its id if codes are to follow
 */
async function storeStarted(
  trx: Knex.Transaction,
  operation: Operation,
  { actorId, preparedId, isDone }: { actorId: string; preparedId: string | null; isDone: boolean },
): Promise<string | null> {
  const isUndoable = operation.action === "deactivate" && operation.generationIds !== noIds;
  if (isDone && preparedId === null && !isUndoable) return null;
  const state = isDone ? "done" : "running";
  const operationId = await storeOperation(trx, operation, { actorId, preparedId, state });
  if (isDone) return null;
  // Only a request that starts a prepared operation doesn't wait for its end.
  const delaySeconds = preparedId === null ? maxRequestSeconds : 0;
  await addJob(trx, { kind: "bulk_action", subject: operationId, delaySeconds });
  return operationId;
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

type Progress = { outcome: BulkOutcome; isDone: boolean };

/** Changes the next codes of an operation, with the groups that it assigns locked. */
async function advance(operationId: string, size: number): Promise<Progress> {
  const stored = await one<{ groupIds: string | null }>(
    db(),
    "select parameters ->> 'groupIds' as group_ids from lifecycle_operations where id = :operationId",
    { operationId },
  );
  return withGroupLocks(parseIds(stored?.groupIds ?? noIds), async (trx, groups) => {
    const operation = await lockOperation(trx, operationId, size);
    if (operation.isDone) return operation;
    // A group that was deleted since is not assigned any more.
    const groupIds = `{${groups.map(({ id }) => id).join()}}`;
    const values = { ...noValues, ...operation.parameters, groupIds };
    const isFirst = operation.position === 0;
    const { skipped } = await changeCodes(trx, { ...operation, values }, { isFirst });
    return storeProgress(trx, operation, skipped);
  });
}

/** An operation with the ids of its next codes. */
type LockedOperation = Omit<Operation, "values"> & {
  id: string;
  /** An earlier release may have stored fewer of them. */
  parameters: Partial<ActionValues>;
  startedAt: string;
  position: number;
  isDone: boolean;
};

async function lockOperation(
  trx: Knex.Transaction,
  operationId: string,
  size: number,
): Promise<LockedOperation> {
  const operation = await one<LockedOperation>(
    trx,
    `select id, action, parameters, generation_ids::text as generation_ids, outcome, position,
       started_at::text,
       promotion_ids[position + 1 : position + :size]::text as ids,
       done_at is not null as is_done
     from lifecycle_operations where id = :operationId for update`,
    { operationId, size },
  );
  return operation!;
}

async function storeProgress(
  trx: Knex.Transaction,
  operation: LockedOperation,
  skipped: Skipped[],
): Promise<Progress> {
  const outcome = withSkipped(operation.outcome, skipped);
  const ids = parseIds(operation.ids);
  const remaining = operation.action === "deactivate" ? idsToUndo(ids, skipped) : ids;
  const isDone = await readValue<boolean>(
    trx,
    // Read after the start has committed: a set that is copied later has what the start changed.
    `update lifecycle_operations set position = position + :remaining, outcome = :outcome,
       promotion_ids = case when :isShorter then promotion_ids[: position]
         || cast(:remainingIds as bigint[]) || promotion_ids[position + :size + 1 :] else promotion_ids end,
       parameters = case when :isFirst then parameters || jsonb_build_object('lastSet',
         nextval(pg_get_serial_sequence('assignment_sets', 'id'))::text) else parameters end,
       done_at = case when position + :size >= cardinality(promotion_ids) then now() end
     where id = :id returning done_at is not null`,
    {
      id: operation.id,
      isFirst: operation.position === 0,
      size: ids.length,
      isShorter: remaining.length < ids.length,
      remaining: remaining.length,
      remainingIds: `{${remaining.join()}}`,
      outcome: JSON.stringify(outcome),
    },
  );
  return { outcome, isDone };
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
