/** Finishes what was started before, where another action has to find it done. */
import { db, query } from "../../../db/connection.server";
import { noIds } from "./action-values";
import type { LifecycleAction } from "./bulk-actions";
import { isPendingSql, isWholeSql } from "./lifecycle-actions.server";
import { runChunks } from "./lifecycle-operations.server";

/**
 * Finishes what was begun for a whole generation and is still being carried over to its codes.
 * @param signal leaves the rest to the job
 */
export async function finishOperationsOf(generationId: string, signal: AbortSignal): Promise<void> {
  const pending = await query<{ id: string }>(
    db(),
    `select id from lifecycle_operations o
     where ${isPendingSql} and generation_ids @> array[cast(:generationId as bigint)] order by id`,
    { generationId },
  );
  for (const { id } of pending) await runChunks(id, signal);
}

/**
 * Finishes pending operations that do the opposite to the codes that an action deactivates or reactivates, so that each
 * code ends as the later action says. Operations that pass over the codes, because a generation changes as a whole to the
 * opposite, delay nothing.
 * @param codes.ids as PostgreSQL writes an array
 * @param codes.generationIds generations that change as a whole, with all their codes
 */
export async function finishEarlier(
  action: LifecycleAction,
  { ids = noIds, generationIds = noIds }: { ids?: string; generationIds?: string },
): Promise<void> {
  if (action !== "deactivate" && action !== "reactivate") return;
  const opposite = action === "deactivate" ? "reactivate" : "deactivate";
  // A code of an inactive generation is reactivated with the whole of it or not at all.
  const passesOverSql = `${isWholeSql}
    and (o.action = 'reactivate' or p.mass_generation_id = any(o.generation_ids))`;
  const pending = await query<{ id: string }>(
    db(),
    `select id from lifecycle_operations o
     where ${isPendingSql} and o.action = :opposite
       and exists (
         select from unnest(o.promotion_ids[o.position + 1 :]) as left_over (id)
           join promotions p on p.id = left_over.id
         where (p.id = any(cast(:ids as bigint[])) or ${isWholeSql}) and not (${passesOverSql}))
     order by started_at, id`,
    { opposite, ids, generationIds },
  );
  for (const { id } of pending) await runChunks(id);
}
