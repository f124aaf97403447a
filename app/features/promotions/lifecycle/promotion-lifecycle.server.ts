/**
 * Actions on one promotion or on a whole mass generation. Each is idempotent, moves the version and
 * leaves one audit row.
 */
import type { Knex } from "knex";
import { db, one } from "../../../db/connection.server";
import { DomainError } from "../../../errors";
import { parseRecordId } from "../../../forms/record-id";
import { isLatestActionBy, recordAction, type Actor } from "../../activity/audit-log.server";
import type { Role } from "../../users/user";
import { promotionNotFound } from "../promotions.server";
import { refusePastDate } from "../site-day.server";
import { isForAdmins, type LifecycleAction } from "./bulk-actions";
import {
  actionBindings,
  actionContextSql,
  actionRules,
  noIds,
  noValues,
  reasonSql,
} from "./lifecycle-actions.server";
import {
  finishOperation,
  finishOperationsOf,
  planOperation,
  startOperation,
  type ChunkOptions,
} from "./lifecycle-operations.server";

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
    await refusePastDate(trx, values.lastDay);
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
      throw new DomainError("conflict", aboutSubject(judged.reason, noun));

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

/**
 * Admins may do everything. Others may undo their own deactivation for ten minutes.
 * @throws DomainError forbidden
 */
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

/** 'It is deleted.' → 'This promotion is deleted' */
function aboutSubject(reason: string, noun: string): string {
  return reason.replace(/^It /, `This ${noun} `).replace(/\.$/, "");
}

function notFound({ type }: Subject): DomainError {
  return type === "promotion"
    ? promotionNotFound()
    : new DomainError("not_found", "Error: Mass generation not found");
}
