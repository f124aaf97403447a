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
import { refusePastDate } from "../site-day.server";
import { isForAdmins, type LifecycleAction } from "./bulk-actions";
import {
  actionBindings,
  actionContextSql,
  actionRules,
  noIds,
  noValues,
  reasonSql,
  type ActionValues,
} from "./lifecycle-actions.server";
import {
  finishOperation,
  finishOperationsOf,
  planOperation,
  startOperation,
  type ChunkOptions,
} from "./lifecycle-operations.server";

/** Who acts; without a role, an ordinary user. */
export type LifecycleActor = Actor & { role?: Role };
export type LifecycleOptions = { actor: LifecycleActor } & ChunkOptions;

/** `changed` is false where it was so already; `covered` counts the codes that changed. */
export type LifecycleResult = { changed: boolean; covered: number };

type Subject = { type: "promotion" | "mass_generation"; id: string };

const changeOf =
  (type: Subject["type"], action: LifecycleAction) =>
  async (id: string, options: LifecycleOptions): Promise<LifecycleResult> =>
    change({ type, id }, action, {}, options);

export const deactivatePromotion = changeOf("promotion", "deactivate");
/** For admins, and for ten minutes for whoever deactivated it. */
export const reactivatePromotion = changeOf("promotion", "reactivate");
/** Deletes a single promotion, or the whole mass generation that the code belongs to. */
export const deletePromotion = changeOf("promotion", "delete");
/** For admins. Restores the whole mass generation that the code belongs to. */
export const restorePromotion = changeOf("promotion", "restore");
export const deactivateMassGeneration = changeOf("mass_generation", "deactivate");
export const reactivateMassGeneration = changeOf("mass_generation", "reactivate");
export const deleteMassGeneration = changeOf("mass_generation", "delete");
export const restoreMassGeneration = changeOf("mass_generation", "restore");

/** @param lastDay YYYY-MM-DD in the site's zone */
export async function extendMassGeneration(
  id: string,
  lastDay: string,
  options: LifecycleOptions,
): Promise<LifecycleResult> {
  return change({ type: "mass_generation", id }, "extend", { lastDay }, options);
}

export async function renameMassGeneration(
  id: string,
  name: string,
  options: LifecycleOptions,
): Promise<LifecycleResult> {
  return change({ type: "mass_generation", id }, "rename", { name }, options);
}

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
 * @throws DomainError not_found; forbidden; conflict: the action isn't possible; invalid: a date in
 *   the past
 */
async function change(
  asked: Subject,
  action: LifecycleAction,
  given: Partial<ActionValues>,
  { actor, ...options }: LifecycleOptions,
): Promise<LifecycleResult> {
  const values = { ...noValues, ...given };
  const subject = await findSubject(asked, action);
  const started = await db().transaction(async (trx) => {
    await refusePastDate(trx, values.lastDay);
    const isWhole = subject.type === "mass_generation";
    const { rows, locked, noun } = sources[subject.type];
    const found = await one<{ reason: string | null; ids: string }>(
      trx,
      `with ${actionContextSql}
       select ${reasonSql(action)} as reason from ${rows} where p.id = :id for update of ${locked}`,
      { ...actionBindings(values, isWhole ? `{${subject.id}}` : noIds), id: subject.id },
    );
    if (!found) throw notFound(subject);
    await requirePermission(trx, subject, action, actor);
    if (found.reason === actionRules[action].done[1]) return null;
    if (found.reason !== null) throw new DomainError("conflict", aboutSubject(found.reason, noun));

    const plan = await planOperation(trx, action, values, {
      ids: isWhole ? await readCodes(trx, subject.id) : `{${subject.id}}`,
      generationId: isWhole ? subject.id : null,
    });
    const details = await actionRules[action].details(trx, plan.ids, values);
    const operation = await startOperation(trx, plan, actor.id, options);
    await recordAction(trx, {
      actor,
      action: `${subject.type}.${actionRules[action].auditName}`,
      subjectType: subject.type,
      subjectId: subject.id,
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
async function findSubject(asked: Subject, action: LifecycleAction): Promise<Subject> {
  const id = parseRecordId(asked.id);
  if (!id) throw notFound(asked);
  if (asked.type === "mass_generation" || !actionRules[action].coversGeneration)
    return { ...asked, id };
  // The generation of a code never changes, so nothing needs to be locked.
  const row = await one<{ massGenerationId: string | null }>(
    db(),
    "select mass_generation_id from promotions where id = :id",
    { id },
  );
  if (!row) throw notFound(asked);
  return row.massGenerationId === null
    ? { type: "promotion", id }
    : { type: "mass_generation", id: row.massGenerationId };
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
  actor: LifecycleActor,
): Promise<void> {
  if (!isForAdmins(action) || actor.role === "admin") return;
  const isUndo =
    action === "reactivate" &&
    (await isLatestActionBy(trx, actor, {
      ...{ subjectType: type, subjectId: id, action: `${type}.deactivated` },
      minutes: 10,
    }));
  if (!isUndo) throw new DomainError("forbidden", "You are not allowed to do this.");
}

/** 'It is deleted.' → 'This promotion is deleted' */
function aboutSubject(reason: string, noun: string): string {
  return reason.replace(/^It /, `This ${noun} `).replace(/\.$/, "");
}

function notFound({ type }: Subject): DomainError {
  const noun = type === "promotion" ? "Promotion" : "Mass generation";
  return new DomainError("not_found", `Error: ${noun} not found`);
}
