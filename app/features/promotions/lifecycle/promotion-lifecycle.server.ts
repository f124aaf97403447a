/**
 * Actions on one promotion or on a whole mass generation. Each is idempotent, moves the version and
 * leaves one audit row.
 */
import type { Knex } from "knex";
import { db, one, readValue } from "../../../db/connection.server";
import { allowLongStatements } from "../../../db/timeouts.server";
import { conflict, type DomainError } from "../../../errors";
import { parseRecordId } from "../../../forms/record-id";
import { type Actor, recordAction } from "../../activity/audit-log.server";
import { isLatestActionBy } from "../../activity/past-actions.server";
import { withIdempotency } from "../../activity/idempotency.server";
import type { CampaignRef } from "../../activity/subject";
import type { Role } from "../../sign-in/user";
import { rejectPastDate } from "../times.server";
import { campaignNotFound, promotionNotFound } from "../promotions.server";
import { type ActionValues, noIds, noValues } from "./action-values";
import type { LifecycleAction } from "./bulk-actions";
import {
  actionBindings,
  actionContextSql,
  actionRules,
  auditNameOf,
  refusalSql,
  rejectOthersThanAdmins,
  wholeRefusals,
} from "./lifecycle-actions.server";
import { requestSignal, runChunks, startOperation } from "./lifecycle-operations.server";
import { finishEarlier, finishOperationsOf } from "./pending-operations.server";
import { planOperation } from "./plan-operation.server";
import { describeRefusal, type RefusalCode } from "./refusals.server";
import { readDeactivated, undoMinutes } from "./stored-operations.server";

/** Counts as an ordinary user without a role. */
type LifecycleActor = Actor & { role?: Role };

/** Rows `p` and `g` as the SQL of the actions reads them, and the one that is locked. */
const sources = {
  promotion: {
    rows: "promotions p left join mass_generations g on g.id = p.mass_generation_id",
    locked: "p",
    noun: "code",
  },
  mass_generation: {
    rows: `mass_generations g cross join lateral (
      select g.*, g.id as mass_generation_id, false as has_own_expiration) p`,
    locked: "g",
    noun: "campaign",
  },
};

type ActionInput = {
  actor: LifecycleActor;
  /** The new last valid day, YYYY-MM-DD in the site's zone. */
  lastDay?: string | null;
  name?: string | null;
  /** Reactivates only what the actor's own deactivation changed, also for admins. */
  isUndo?: boolean;
};

/**
 * Changes one promotion or a whole mass generation. Waits until its codes have followed, for 8 s at most.
 * @param options.idempotencyKey a repetition with the same key has no effect and returns the same
 * @returns `changed`: false where nothing was left to do; `isReversed`: true if a repetition finds that it was changed
 *   since; `covered`: the number of codes that changed or still follow
 * @throws DomainError not_found; forbidden; conflict: the action isn't possible; invalid: a date in
 *   the past
 */
export async function changeLifecycle(
  requested: CampaignRef,
  action: LifecycleAction,
  { idempotencyKey = null, ...input }: ActionInput & { idempotencyKey?: string | null },
): Promise<{ changed: boolean; isReversed?: boolean; covered: number }> {
  const signal = requestSignal();
  const subject = await findSubject(requested, action);
  const { actor, lastDay = null, name = null, isUndo = false } = input;
  const request = {
    userId: actor.id,
    key: idempotencyKey,
    input: { subject, action, lastDay, name, ...(isUndo && { isUndo }) },
  };
  const id = `{${subject.id}}`;
  const target = subject.type === "promotion" ? { ids: id } : { generationIds: id };
  await finishEarlier(action, target);
  const { result, wasReplayed } = await withIdempotency(db(), request, (trx) =>
    startChange(trx, subject, action, input),
  );
  const { changed, operationId, codes } = result;
  if (!changed && subject.type === "mass_generation") await finishOperationsOf(subject.id, signal);
  const isReversed = wasReplayed && changed && !(await isDone(subject, action, { lastDay, name }));
  const outcome = operationId && (await runChunks(operationId, signal));
  const covered = outcome ? outcome.codes : codes;
  return { changed, covered, ...(isReversed && { isReversed }) };
}

/** `operationId` if codes are to follow; `codes` counts these, too. */
type Started = { changed: boolean; operationId: string | null; codes: number };

/**
 * Starts an action in a transaction, after which `runChunks` lets the codes of a large mass generation follow.
 * @param subject of an action that covers a whole mass generation, that generation
 * @param input.isDeferred leaves the codes of a small one to `runChunks`, too
 * @throws DomainError as `changeLifecycle` does
 */
export async function startChange(
  trx: Knex.Transaction,
  subject: CampaignRef,
  action: LifecycleAction,
  {
    actor,
    lastDay = null,
    name = null,
    isUndo = false,
    isDeferred,
  }: ActionInput & { isDeferred?: boolean },
): Promise<Started> {
  const isWhole = subject.type === "mass_generation";
  if (isWhole) await allowLongStatements(trx);
  await rejectPastDate(trx, lastDay);
  const values = { ...noValues, lastDay, name };
  const { locked, noun } = sources[subject.type];
  const refusal = await judge(trx, subject, action, values, `for update of ${locked}`);
  const undoesOwn = await authorize(trx, subject, action, { actor, isUndo });
  const [done] = actionRules[action].done;
  if (refusal === done) {
    // Codes of an active generation can all have been deactivated by themselves.
    const canFollow = isWhole && action === "reactivate" && (await areAllInactive(trx, subject.id));
    if (!canFollow) return { changed: false, operationId: null, codes: 0 };
  } else if (refusal !== null) throw conflict(describeRefusal(refusal, `This ${noun}`));

  const plan = await planOperation(trx, action, values, {
    ids: isWhole ? await readCodes(trx, subject.id, undoesOwn) : `{${subject.id}}`,
    generationIds: generationsOf(subject),
  });
  const details = await actionRules[action].details(trx, plan.ids, values);
  const operation = await startOperation(trx, plan, { actorId: actor.id, isDeferred });
  await recordAction(trx, actor, `${subject.type}.${auditNameOf(action, values)}`, subject.id, {
    covered: operation.outcome.codes,
    details,
  });
  return { changed: true, operationId: operation.operationId, codes: operation.outcome.codes };
}

/** Returns why a subject stays as it is; null if it changes. */
async function judge(
  database: Knex,
  subject: CampaignRef,
  action: LifecycleAction,
  values: ActionValues,
  lockSql = "",
): Promise<RefusalCode | null> {
  const refusals = subject.type === "mass_generation" ? wholeRefusals(action) : [];
  const judged = await one<{ refusal: RefusalCode | null }>(
    database,
    `with ${actionContextSql}
     select ${refusalSql(action, refusals)} as refusal
     from ${sources[subject.type].rows} where p.id = :id ${lockSql}`,
    { ...actionBindings(values, generationsOf(subject)), id: subject.id },
  );
  if (!judged) throw subjectNotFound(subject);
  return judged.refusal;
}

const generationsOf = ({ type, id }: CampaignRef) =>
  type === "mass_generation" ? `{${id}}` : noIds;

async function isDone(
  subject: CampaignRef,
  action: LifecycleAction,
  values: Partial<ActionValues>,
): Promise<boolean> {
  const refusal = await judge(db(), subject, action, { ...noValues, ...values });
  return refusal === actionRules[action].done[0];
}

/**
 * Returns whether an action undoes the actor's own deactivation, for which nobody has to be an admin.
 * @throws DomainError forbidden; conflict: an undo is no longer possible
 */
async function authorize(
  trx: Knex.Transaction,
  subject: CampaignRef,
  action: LifecycleAction,
  { actor, isUndo }: { actor: LifecycleActor; isUndo: boolean },
): Promise<boolean> {
  const undoesOwn =
    action === "reactivate" &&
    (isUndo || actor.role !== "admin") &&
    (await mayUndoDeactivation(subject, actor, trx));
  if (!undoesOwn) rejectOthersThanAdmins(action, actor);
  if (isUndo && !undoesOwn)
    throw conflict("This can no longer be undone. Reactivate it on its page.");
  return undoesOwn;
}

/** Finds what an action is about: the whole generation where one code stands for it. */
async function findSubject(requested: CampaignRef, action: LifecycleAction): Promise<CampaignRef> {
  const id = parseRecordId(requested.id);
  if (!id) throw subjectNotFound(requested);
  const subject = { ...requested, id };
  if (subject.type === "mass_generation" || !actionRules[action].coversGeneration) return subject;
  // The generation of a code never changes, so nothing needs to be locked.
  const row = await one<{ massGenerationId: string | null }>(
    db(),
    "select mass_generation_id from promotions where id = :id",
    { id },
  );
  if (!row) throw subjectNotFound(subject);
  const { massGenerationId } = row;
  return massGenerationId ? { type: "mass_generation", id: massGenerationId } : subject;
}

/** @param isUndo leaves out codes that were inactive before the generation: only admins reactivate these */
async function readCodes(
  trx: Knex.Transaction,
  generationId: string,
  isUndo: boolean,
): Promise<string> {
  const deactivated = isUndo ? await readDeactivated(trx, generationId) : null;
  if (deactivated !== null) return deactivated;
  return readValue(
    trx,
    `select coalesce(array_agg(id)::text, '${noIds}')
     from promotions where mass_generation_id = :generationId`,
    { generationId },
  );
}

async function areAllInactive(trx: Knex.Transaction, generationId: string): Promise<boolean> {
  const sql =
    "select from promotions where mass_generation_id = :generationId and is_active limit 1";
  return !(await one(trx, sql, { generationId }));
}

/** Lets others than admins undo their own deactivation; viewers change nothing. */
export async function mayReactivate(subject: CampaignRef, actor: LifecycleActor): Promise<boolean> {
  return actor.role === "admin" || mayUndoDeactivation(subject, actor);
}

/** Tells whether the latest deactivation is the actor's own and ten minutes old at most. */
export async function mayUndoDeactivation(
  { type, id }: CampaignRef,
  actor: LifecycleActor,
  database: Knex = db(),
): Promise<boolean> {
  if (actor.role === "viewer") return false;
  return isLatestActionBy(database, actor, `${type}.deactivated`, id, { minutes: undoMinutes });
}

function subjectNotFound({ type }: CampaignRef): DomainError {
  return type === "promotion" ? promotionNotFound() : campaignNotFound();
}
