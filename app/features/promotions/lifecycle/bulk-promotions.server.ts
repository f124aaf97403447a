/** One action on a selection of promotions: ticked ones, or all that match a filter of the list. */
import type { Knex } from "knex";
import { db, one, query } from "../../../db/connection.server";
import { DomainError } from "../../../errors";
import { recordAction, type Actor } from "../../activity/audit-log.server";
import { findStoredResult, withIdempotency } from "../../activity/idempotency.server";
import { requireMachines } from "../../machines/machines.server";
import { withGroupLocks } from "../../machines/machine-groups.server";
import { clockBindings, clockSql } from "../promotion-sql.server";
import { refusePastDate } from "../site-day.server";
import {
  type BulkAction,
  type BulkPreview,
  type BulkResult,
  isForAdmins,
  maxBulkCodes,
  needsMachines,
  type PromotionSelection,
  tooManyCodes,
} from "./bulk-actions";
import type { BulkValues } from "./bulk-form";
import { selectionSql } from "../list/promotion-filters.server";
import { actionRules, noIds, noValues, rejectTooManyAssignments } from "./lifecycle-actions.server";
import {
  finishOperation,
  planOperation,
  startOperation,
  type ChunkOptions,
} from "./lifecycle-operations.server";

/** Says what an action would change now. Writes nothing. */
export async function previewBulk(
  action: BulkAction,
  selection: PromotionSelection,
): Promise<BulkPreview> {
  const { ids } = await choose(db(), selection);
  return (await planOperation(db(), action, noValues, { ids })).outcome;
}

/** The result of a request, or the operation that will have it. */
type Stored = { bulk: BulkResult } | { operationId: string };

/**
 * Changes the codes that the selection means when the request arrives; those that match later are
 * not touched. Returns when the last code is done. A repetition with the same key joins in.
 * @param options.expected the number of codes that the confirmation showed
 * @throws DomainError forbidden, invalid, conflict; then nothing is changed
 */
export async function applyBulk(
  action: BulkAction,
  selection: PromotionSelection,
  values: BulkValues,
  options: {
    actor: Actor & { role: string };
    idempotencyKey: string;
    expected: number | null;
  } & ChunkOptions,
): Promise<BulkResult> {
  const { actor, idempotencyKey: key, expected } = options;
  const rule = actionRules[action];
  if (isForAdmins(action) && actor.role !== "admin")
    throw new DomainError("forbidden", "You are not allowed to do this.");
  const input = { action, selection, values };
  const { result } = await withGroupLocks([], (trx) =>
    withIdempotency<Stored>(trx, { userId: actor.id, key, input }, async () => {
      await refusePastDate(trx, values.expirationDate);
      const chosen = await choose(trx, selection);
      rejectTooManyAssignments(chosen.count, values.machines.length);
      if (needsMachines(action)) await lockForMachines(trx, chosen);
      const machines = await requireMachines(trx, values.machines, {
        consequence: "Nothing was changed.",
        withDeleted: action !== "add-machines",
      });
      const plan = await planOperation(
        trx,
        action,
        {
          ...noValues,
          lastDay: values.expirationDate,
          machines: values.machines,
          machineIds: `{${machines.map(({ id }) => id).join()}}`,
        },
        chosen,
      );
      const details = await rule.details(trx, plan.ids, plan.values);
      const operation = {
        ...plan,
        outcome: { ...plan.outcome, action, expected } satisfies BulkResult,
      };
      const { operationId, outcome, ids } = await startOperation(trx, operation, actor.id, options);
      if (outcome.codes > 0)
        await recordAction(trx, actor, `promotion.${rule.auditName}`, ids, {
          details: { ...details, selection: describeSelection(selection) },
        });
      return operationId === null ? { bulk: outcome } : { operationId };
    }),
  );
  return readResult(result, options);
}

/**
 * Returns the result of a bulk action, or null if it is older than 24 h or belongs to another user.
 * Waits for codes that are still to follow.
 */
export async function findBulkResult(userId: string, key: string): Promise<BulkResult | null> {
  const stored = await findStoredResult<Extract<Stored, object>>(userId, key);
  return stored && ("bulk" in stored || "operationId" in stored)
    ? readResult(stored as Stored)
    : null;
}

async function readResult(stored: Stored, options?: ChunkOptions): Promise<BulkResult> {
  return "bulk" in stored ? stored.bulk : finishOperation<BulkResult>(stored.operationId, options);
}

function describeSelection(selection: PromotionSelection): object {
  return selection.kind === "ticked" ? { ticked: selection.ids.length } : selection;
}

type Chosen = { ids: string; generations: string; count: number };

/** Returns the codes that a selection means now. */
async function choose(database: Knex, selection: PromotionSelection): Promise<Chosen> {
  const { sql, bindings, parts } = selectionSql(selection);
  const part = (condition: string) =>
    `(select p.id, p.mass_generation_id from promotions p where ${condition} and (${sql})
      limit ${maxBulkCodes + 1})`;
  const chosen = await one<Chosen>(
    database,
    `with ${clockSql}, chosen as materialized (${parts.map(part).join(" union all ")})
     select count(*)::integer as count,
       coalesce(array_agg(id order by id)::text, '${noIds}') as ids,
       coalesce(array_agg(distinct mass_generation_id)
         filter (where mass_generation_id is not null)::text, '${noIds}') as generations
     from chosen`,
    { ...clockBindings(), ...bindings },
  );
  if (chosen!.count > maxBulkCodes) throw new DomainError("invalid", tooManyCodes);
  return chosen!;
}

/** Locks the generations whose sets the action may change. */
async function lockForMachines(trx: Knex.Transaction, { generations }: Chosen): Promise<void> {
  await query(
    trx,
    `select from mass_generations where id = any(cast(:generations as bigint[]))
     order by id for update`,
    { generations },
  );
}
