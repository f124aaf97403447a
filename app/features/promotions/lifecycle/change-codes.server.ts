/** Changes codes, and skips those that no longer qualify when their turn comes. */
import type { Knex } from "knex";
import { query } from "../../../db/connection.server";
import { lockSharedSets } from "../../assignments/assignment-sets.server";
import { noIds, parseIds } from "./action-values";
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

export type Skipped = {
  id: string;
  name: string;
  code: string;
  generationId: string | null;
  refusal: RefusalCode;
};

/**
 * Changes those of the codes that still qualify; the others are skipped, with their refusals.
 * @param options.isFirst tells whether these are the first codes of the operation
 */
export async function changeCodes(
  trx: Knex.Transaction,
  {
    action,
    values,
    generationIds,
    ids,
    startedAt = null,
  }: Omit<Operation, "outcome"> & { startedAt?: string | null },
  { isFirst }: { isFirst: boolean },
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
  const changeSql = `update promotions p set ${assignments.filter(Boolean).join(", ")}
    from judged where judged.id = p.id and judged.refusal is null`;
  // A redemption may be younger than the deleted_at of the start, as lifecycle-operations explains.
  const dateGenerationsSql = `update mass_generations set deleted_at = (select at from locked_at)
    where :isFirstDeletion and is_deleted and id = any(cast(:generationIds as bigint[]))`;
  const skipped = await query<Skipped>(
    trx,
    `with ${actionContextSql}, judged as materialized (
       select p.id, p.name, p.code, p.mass_generation_id as generation_id,
         ${refusalSql(action, [meanwhileRefusal(action)])} as refusal
       from promotions p left join mass_generations g on g.id = p.mass_generation_id
       where p.id = any(cast(:ids as bigint[]))
     ) ${apply ? "" : `, changed as (${changeSql}), dated as (${dateGenerationsSql})`}
     select * from judged where refusal is not null order by id`,
    {
      ...actionBindings(values, generationIds),
      ids,
      startedAt,
      isFirstDeletion: isFirst && action === "delete",
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
export function withSkipped(outcome: BulkOutcome, skipped: Skipped[]): BulkOutcome {
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
