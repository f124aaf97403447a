/** Finishes what was started before, where another action has to find it done. */
import { db, query } from "../../../db/connection.server";
import { noIds } from "./action-values";
import type { LifecycleAction } from "./bulk-actions";
import { isWholeSql } from "./lifecycle-actions.server";
import { type ChunkOptions, finishOperation } from "./lifecycle-operations.server";

const isPendingSql = "o.started_at is not null and o.done_at is null";

/** Finishes what was begun for a whole generation and is still being carried over to its codes. */
export async function finishOperationsOf(
  generationId: string,
  options?: ChunkOptions,
): Promise<void> {
  const pending = await query<{ id: string }>(
    db(),
    `select id from lifecycle_operations o
     where ${isPendingSql} and generation_ids @> array[cast(:generationId as bigint)] order by id`,
    { generationId },
  );
  for (const { id } of pending) await finishOperation(id, options);
}

/**
 * Finishes pending deactivations of the codes that an action activates or deactivates, and before a deactivation pending
 * reactivations too, so that each code ends as the later action says and belongs to the undo of one deactivation.
 * Operations that pass over the codes, because a generation changes as a whole to the opposite, delay nothing.
 * @param codes.ids as PostgreSQL writes an array
 * @param codes.generationIds generations that change as a whole, with all their codes
 */
export async function finishEarlier(
  action: LifecycleAction,
  { ids = noIds, generationIds = noIds }: { ids?: string; generationIds?: string },
  options?: ChunkOptions,
): Promise<void> {
  if (action !== "deactivate" && action !== "reactivate") return;
  // A code of an inactive generation is reactivated with the whole of it or not at all.
  const passesOverSql = `${isWholeSql} and o.action <> :action
    and (o.action = 'reactivate' or p.mass_generation_id = any(o.generation_ids))`;
  const pending = await query<{ id: string }>(
    db(),
    `select id from lifecycle_operations o
     where ${isPendingSql} and (o.action = 'deactivate' or o.action = 'reactivate' and :action = 'deactivate')
       and exists (
         select from unnest(o.promotion_ids[o.position + 1 :]) as left_over (id)
           join promotions p on p.id = left_over.id
         where (p.id = any(cast(:ids as bigint[])) or ${isWholeSql}) and not (${passesOverSql}))
     order by started_at, id`,
    { action, ids, generationIds },
  );
  for (const { id } of pending) await finishOperation(id, options);
}
