/** Operations as rows: prepared until they are confirmed, then running until their last code is done. */
import type { Knex } from "knex";
import { type Database, one, query, readValue } from "../../../db/connection.server";
import type { Leftovers } from "../../../db/sweep.server";
import { readSubjectsSince } from "../../activity/past-actions.server";
import { noIds, parseIds } from "./action-values";
import type { Operation } from "./plan-operation.server";

/** For how long people may undo their own deactivation (RULES S4). */
export const undoMinutes = 10;

type State = "prepared" | "running" | "done";

export async function storeOperation(
  trx: Database,
  { action, values, generationIds, ids, outcome }: Operation,
  { actorId, preparedId, state }: { actorId: string; preparedId: string | null; state: State },
): Promise<string> {
  return readValue(
    trx,
    `insert into lifecycle_operations (id, action, parameters, actor_id, generation_ids,
       promotion_ids, outcome, started_at, done_at)
     overriding system value values (
       coalesce(cast(:preparedId as bigint),
         nextval(pg_get_serial_sequence('lifecycle_operations', 'id'))),
       :action, :parameters, :actorId, :generationIds, :ids, :outcome,
       case when :state <> 'prepared' then now() end, case when :state = 'done' then now() end)
     on conflict (id) do update set parameters = excluded.parameters,
       generation_ids = excluded.generation_ids, promotion_ids = excluded.promotion_ids,
       outcome = excluded.outcome, started_at = excluded.started_at, done_at = excluded.done_at
     returning id`,
    {
      preparedId,
      action,
      actorId,
      generationIds,
      ids,
      state,
      parameters: JSON.stringify(values),
      outcome: JSON.stringify(outcome),
    },
  );
}

/** Number of operations that a user may have prepared at a time. */
const maxPrepared = 10;

/** Condition of operations that nobody can see or undo any longer. */
const isExpiredSql = `(started_at is null or done_at is not null)
  and coalesce(done_at, created_at) < now() - interval '1 day'`;

export const oldOperations: Leftovers = {
  table: "lifecycle_operations",
  conditionSql: isExpiredSql,
};

/**
 * Stores an operation until it is confirmed, for a day at most.
 * @returns its id
 */
export async function prepareOperation(
  trx: Knex.Transaction,
  operation: Operation,
  actorId: string,
): Promise<string> {
  const stored = { actorId, preparedId: null, state: "prepared" } as const;
  const id = await storeOperation(trx, operation, stored);
  await query(
    trx,
    `delete from lifecycle_operations
     where started_at is null and actor_id = :actorId and id not in (
       select id from lifecycle_operations where started_at is null and actor_id = :actorId
       order by id desc limit ${maxPrepared})`,
    { actorId },
  );
  return id;
}

/** Returns the codes that an undo of a generation's latest deactivation reactivates; null if none is stored. */
export async function readDeactivated(trx: Knex.Transaction, generationId: string) {
  const latest = await one<{ ids: string; startedAt: string }>(
    trx,
    `select array(select p.id from promotions p
         where p.mass_generation_id = :generationId and p.id = any(o.promotion_ids))::text as ids,
       started_at::text
     from lifecycle_operations o
     where action = 'deactivate' and generation_ids @> array[cast(:generationId as bigint)]
       and started_at is not null
     order by started_at desc limit 1`,
    { generationId },
  );
  return latest && readCodesToUndo(trx, { ...latest, generationIds: `{${generationId}}` });
}

/**
 * Returns the codes that an undo of a deactivation reactivates: those that it changed, and those that were added to its
 * generations since and were never active, without those that were deactivated again since.
 */
export async function readCodesToUndo(
  trx: Knex.Transaction,
  { ids, generationIds, startedAt }: Pick<StoredOperation, "ids" | "generationIds" | "startedAt">,
): Promise<string> {
  const deactivatedSince = new Set(
    await readSubjectsSince(trx, "promotion.deactivated", startedAt!),
  );
  const added = await readValue<string>(
    trx,
    `select array(select id from promotions where mass_generation_id = any(cast(:generationIds as bigint[]))
       and created_at > cast(:startedAt as timestamptz))::text`,
    { generationIds, startedAt },
  );
  const changed = new Set([...parseIds(ids), ...parseIds(added)]);
  return `{${[...changed].filter((id) => !deactivatedSince.has(id)).join()}}`;
}

export type StoredOperation = Pick<Operation, "action" | "generationIds" | "ids" | "outcome"> & {
  id: string;
  state: State;
  /** As PostgreSQL writes it. */
  startedAt: string | null;
  /** Whether it started at most `undoMinutes` ago. */
  isRecent: boolean;
  /** Number of codes that are done. */
  position: number;
  total: number;
};

/**
 * Returns an operation of this user that has not ended more than a day ago, or null.
 * @param options.withIds reads the ids of its codes, too, as those of a locked one
 */
export async function findOperation(
  database: Database,
  id: string | null,
  actorId: string,
  { isLocked = false, withIds = false },
): Promise<StoredOperation | null> {
  return one<StoredOperation>(
    database,
    `select id, action, outcome, generation_ids::text, position, cardinality(promotion_ids) as total,
       started_at::text, coalesce(started_at > now() - interval '${undoMinutes} minutes', false) as is_recent,
       ${withIds || isLocked ? "promotion_ids::text" : `'${noIds}'`} as ids,
       case when started_at is null then 'prepared' when done_at is null then 'running'
         else 'done' end as state
     from lifecycle_operations where id = :id and actor_id = :actorId and not (${isExpiredSql})
     ${isLocked ? "for update" : ""}`,
    { id, actorId },
  );
}
