/**
 * Actions on one promotion or on a whole mass generation. Each is idempotent, moves the version and
 * leaves one audit row.
 */
import type { Knex } from "knex";
import { db, one } from "../../../db/connection.server";
import { DomainError } from "../../../errors";
import { parseRecordId } from "../../../forms/record-id";
import { type Actor, isLatestActionBy, recordAction } from "../../activity/audit-log.server";
import type { Role } from "../../users/user";
import { promotionNotFound } from "../promotions.server";
import { findStoredResult, withIdempotency } from "../../activity/idempotency.server";
import { requireMachines } from "../../machines/machines.server";
import { withGroupLocks } from "../../machines/machine-groups.server";
import { clockBindings, clockSql, rejectPastDate } from "../promotion-sql.server";
import { selectionSql } from "../list/promotion-filters.server";
import {
  type BulkAction,
  type BulkPreview,
  type BulkResult,
  isForAdmins,
  type LifecycleAction,
  maxBulkCodes,
  needsMachines,
  type PromotionSelection,
  tooManyCodes,
} from "./bulk-actions";
import {
  actionBindings,
  actionContextSql,
  actionRules,
  noIds,
  noValues,
  reasonSql,
  rejectTooManyAssignments,
} from "./lifecycle-actions.server";
import {
  type ChunkOptions,
  finishOperation,
  finishOperationsOf,
  lockGenerations,
  planOperation,
  startOperation,
} from "./lifecycle-operations.server";
import type { BulkValues } from "./bulk-form";

type LifecycleOptions = {
  /** Without a role, an ordinary user. */
  actor: Actor & { role?: Role };
} & ChunkOptions;

type Subject = { type: "promotion" | "mass_generation"; id: string };

const changeOf =
  (type: Subject["type"], action: LifecycleAction) => (id: string, options: LifecycleOptions) =>
    changeLifecycle({ type, id }, action, options);

export const deactivatePromotion = changeOf("promotion", "deactivate");
/** For admins, and for ten minutes for whoever deactivated it. */
export const reactivatePromotion = changeOf("promotion", "reactivate");
/** Deletes a single promotion, or the whole mass generation that the code belongs to. */
export const deletePromotion = changeOf("promotion", "delete");
/** For admins. Restores the whole mass generation that the code belongs to. */
export const restorePromotion = changeOf("promotion", "restore");
export const deleteMassGeneration = changeOf("mass_generation", "delete");
export const restoreMassGeneration = changeOf("mass_generation", "restore");

/** Rows `p` and `g` as the SQL of the actions reads them, and the one that is locked. */
const sources = {
  promotion: {
    rows: "promotions p left join mass_generations g on g.id = p.mass_generation_id",
    locked: "p",
    noun: "promotion",
  },
  mass_generation: {
    rows: `mass_generations g cross join lateral (
      select g.*, g.id as mass_generation_id, false as has_own_expiration) p`,
    locked: "g",
    noun: "mass generation",
  },
};

/**
 * @param options.lastDay the new last valid day, YYYY-MM-DD in the site's zone
 * @returns `changed`: false where nothing was left to do; `covered`: the number of codes that changed
 * @throws DomainError not_found; forbidden; conflict: the action isn't possible; invalid: a date in
 *   the past
 */
export async function changeLifecycle(
  requested: Subject,
  action: LifecycleAction,
  { actor, lastDay = null, ...options }: LifecycleOptions & { lastDay?: string | null },
): Promise<{ changed: boolean; covered: number }> {
  const values = { ...noValues, lastDay };
  const subject = await findSubject(requested, action);
  const started = await db().transaction(async (trx) => {
    await rejectPastDate(trx, values.lastDay);
    const isWhole = subject.type === "mass_generation";
    const { rows, locked, noun } = sources[subject.type];
    const judged = await one<{ reason: string | null }>(
      trx,
      `with ${actionContextSql}
       select ${reasonSql(action)} as reason from ${rows} where p.id = :id for update of ${locked}`,
      { ...actionBindings(values, isWhole ? `{${subject.id}}` : noIds), id: subject.id },
    );
    if (!judged) throw notFound(subject);
    await requirePermission(trx, subject, action, actor);
    if (judged.reason === actionRules[action].done[1]) return null;
    if (judged.reason !== null)
      // 'It is deleted.' → 'This promotion is deleted'
      throw new DomainError(
        "conflict",
        judged.reason.replace(/^It /, `This ${noun} `).replace(/\.$/, ""),
      );

    const plan = await planOperation(trx, action, values, {
      ids: isWhole ? await readCodes(trx, subject.id) : `{${subject.id}}`,
      generationId: isWhole ? subject.id : null,
    });
    const details = await actionRules[action].details(trx, plan.ids, values);
    const operation = await startOperation(trx, plan, actor.id, options);
    await recordAction(trx, actor, `${subject.type}.${actionRules[action].auditName}`, subject.id, {
      covered: operation.outcome.codes,
      details,
    });
    return operation;
  });
  if (!started) {
    // The answer waits until all codes have followed.
    if (subject.type === "mass_generation") await finishOperationsOf(subject.id, options);
    return { changed: false, covered: 0 };
  }
  const { operationId, outcome } = started;
  const { codes } = operationId ? await finishOperation(operationId, options) : outcome;
  return { changed: true, covered: codes };
}

/** Finds what an action is about: the whole generation where one code stands for it. */
async function findSubject(requested: Subject, action: LifecycleAction): Promise<Subject> {
  const id = parseRecordId(requested.id);
  if (!id) throw notFound(requested);
  const subject = { ...requested, id };
  if (subject.type === "mass_generation" || !actionRules[action].coversGeneration) return subject;
  // The generation of a code never changes, so nothing needs to be locked.
  const row = await one<{ massGenerationId: string | null }>(
    db(),
    "select mass_generation_id from promotions where id = :id",
    { id },
  );
  if (!row) throw notFound(subject);
  const { massGenerationId } = row;
  return massGenerationId ? { type: "mass_generation", id: massGenerationId } : subject;
}

async function readCodes(trx: Knex.Transaction, generationId: string): Promise<string> {
  const row = await one<{ ids: string }>(
    trx,
    `select coalesce(array_agg(id)::text, '${noIds}') as ids
     from promotions where mass_generation_id = :generationId`,
    { generationId },
  );
  return row!.ids;
}

/** Lets others than admins undo their own deactivation for ten minutes. */
async function requirePermission(
  trx: Knex.Transaction,
  { type, id }: Subject,
  action: LifecycleAction,
  actor: LifecycleOptions["actor"],
): Promise<void> {
  if (!isForAdmins(action) || actor.role === "admin") return;
  const isUndo =
    action === "reactivate" &&
    (await isLatestActionBy(trx, actor, `${type}.deactivated`, id, { minutes: 10 }));
  if (!isUndo) throw new DomainError("forbidden", "You are not allowed to do this.");
}

function notFound({ type }: Subject): DomainError {
  return type === "promotion"
    ? promotionNotFound()
    : new DomainError("not_found", "Error: Mass generation not found");
}

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
      await rejectPastDate(trx, values.expirationDate);
      const chosen = await choose(trx, selection);
      rejectTooManyAssignments(chosen.count, values.machines.length);
      // The action may change the sets of these generations.
      if (needsMachines(action)) await lockGenerations(trx, chosen.generations, "update");
      const machines = await requireMachines(trx, values.machines, {
        consequence: "Nothing was changed.",
        withDeleted: action !== "add-machines",
      });
      const plan = await planOperation(
        trx,
        action,
        {
          lastDay: values.expirationDate,
          machines: values.machines,
          machineIds: `{${machines.map(({ id }) => id).join()}}`,
          wholeSets: noIds,
        },
        chosen,
      );
      const details = await rule.details(trx, plan.ids, plan.values);
      const operation = { ...plan, outcome: { ...plan.outcome, action, expected } };
      const { operationId, outcome, ids } = await startOperation(trx, operation, actor.id, options);
      if (outcome.codes > 0)
        await recordAction(trx, actor, `promotion.${rule.auditName}`, ids, {
          details: {
            ...details,
            selection: selection.kind === "ticked" ? { ticked: selection.ids.length } : selection,
          },
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
  const stored = await findStoredResult<Stored>(userId, key);
  const isBulk = stored && ("bulk" in stored || "operationId" in stored);
  return isBulk ? readResult(stored as Stored) : null;
}

async function readResult(stored: Stored, options?: ChunkOptions): Promise<BulkResult> {
  return "bulk" in stored ? stored.bulk : finishOperation<BulkResult>(stored.operationId, options);
}

async function choose(database: Knex, selection: PromotionSelection) {
  const { sql, bindings, parts } = selectionSql(selection);
  const part = (condition: string) =>
    `(select p.id, p.mass_generation_id from promotions p where ${condition} and (${sql})
      limit ${maxBulkCodes + 1})`;
  const chosen = await one<{ ids: string; generations: string; count: number }>(
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
