/**
 * A second admin for many codes (RULES Y). Whatever makes codes calls `requireApproval` in its transaction: beyond the
 * limit it throws, so that nothing is made, and `askForApproval` stores the request, whose approval makes the codes.
 */
import type { Knex } from "knex";
import { db, one, query } from "../../db/connection.server";
import { withTimeouts } from "../../db/timeouts.server";
import {
  conflict,
  DomainError,
  HeldForApproval,
  type HeldRequest,
  invalidFields,
} from "../../errors";
import { parseRecordId } from "../../forms/record-id";
import { countOf } from "../../format/number";
import { recordAction, type Actor } from "../activity/audit-log.server";
import { withIdempotency, type ActionOptions } from "../activity/idempotency.server";
import { lockSettings, settings } from "../settings/settings.server";
import { countActiveAdmins, isAdminInvited } from "../sign-in/users.server";
import type { Approval, ApprovalKind } from "./approval";
import { findImportRequest, findLimitRequest, isWaitingSql } from "./list-approvals.server";

/** An approval that is being carried out, and who decided. */
export type Decision = { approvalId: string; decidedBy: Actor };

/** Imports that a second admin approved, whoever asked, also those that came to nothing, and those that brought these back. */
const approvedImportsSql = `array(with recursive approved (id) as (
    select cast(a.input ->> 'id' as bigint) from approvals a where a.state = 'approved' and a.kind = 'import'
    union select i.id from approved join imports i on cast(i.outcome ->> 'revives' as bigint) = approved.id)
  select id from approved)`;
const isApprovedImportSql = (id: string) => `coalesce(${id} = any(${approvedImportsSql}), false)`;

/** Imports that an open request names, or one that was decided within a day. */
export const requestedImportsSql = `array(select cast(a.input ->> 'id' as bigint) from approvals a
    where a.kind = 'import' and (${isWaitingSql} or a.decided_at > now() - interval '1 day'))`;

/**
 * Counts codes that a person made within 24 hours, and those of confirmed imports that are not written yet, without
 * those that a second admin approved. An import can come to nothing after its approval, so its codes are left out
 * one by one.
 */
const madeSql = `(select coalesce(sum(g.num_codes - (select coalesce(sum(added.num_codes), 0) from added_codes added
      where added.mass_generation_id = g.id)), 0) from mass_generations g
    where g.created_by = :userId and g.created_at > now() - interval '24 hours'
      and not ${isApprovedImportSql("abs(g.import_id)")})
  + (select coalesce(sum(added.num_codes), 0) from added_codes added
    where added.created_by = :userId and added.created_at > now() - interval '24 hours')
  + (select count(*) from promotions p where p.created_by = :userId and p.mass_generation_id is null
    and p.created_at > now() - interval '24 hours' and not ${isApprovedImportSql("abs(p.import_id)")})
  + (select coalesce(sum(i.rows), 0) from imports i where i.confirmed_by = :userId and i.kind = 'codes'
    and i.state = 'importing' and i.outcome ->> 'revives' is null and not ${isApprovedImportSql("i.id")})
  - (select coalesce(sum(a.codes), 0) from approvals a where a.asked_by = :userId and a.state = 'approved'
    and a.kind <> 'import' and a.decided_at > now() - interval '24 hours')`;

type AskOptions = { actor: Actor; idempotencyKey: string | null; decision?: Decision | null };
type Wanted = { kind: ApprovalKind; name: string; codes: number; input: object };

/**
 * Lets codes be made, or stops the transaction. Of concurrent requests of a person one is counted after the other.
 * @param options.decision carries an approval out: it is decided together with what it makes
 * @throws HeldForApproval: the codes wait for a second admin
 * @throws DomainError conflict: the approval was decided before, or is too old
 */
export async function requireApproval(
  trx: Knex,
  wanted: Wanted,
  options: AskOptions,
): Promise<void> {
  const { actor, idempotencyKey, decision } = options;
  if (decision) return decide(trx, decision, "approved");
  const { approvalCodes } = settings();
  if (approvalCodes === null) return;
  const userId = actor.id;
  await lockCodesOf(trx, userId);
  const row = await one<{ made: number }>(trx, `select (${madeSql})::float8 as made`, { userId });
  if (row!.made + wanted.codes > approvalCodes)
    throw new HeldForApproval({ ...wanted, userId, idempotencyKey });
}

/**
 * Waits for other codes of the person, as `requireApproval` does, before rows are locked that a deactivation or a
 * rollback needs meanwhile.
 */
export async function awaitOtherCodes(
  trx: Knex,
  { actor, decision }: Omit<AskOptions, "idempotencyKey">,
): Promise<void> {
  if (!decision && settings().approvalCodes !== null) await lockCodesOf(trx, actor.id);
}

const codesLockSql = "hashtextextended('codes of ' || :userId, 0)";

/** Transactions of a process that wait for longer than for other locks: each holds one of ten connections. */
const maxLongWaits = 3;
let longWaits = 0;

/**
 * Locks the codes of a user until the transaction ends. One that makes a mass generation holds the lock for seconds, so
 * others wait for up to 30 s, unless their transaction waits for longer anyway.
 */
async function lockCodesOf(trx: Knex, userId: string): Promise<void> {
  const state = await one<{ isLocked: boolean; lockTimeout: string }>(
    trx,
    `select pg_try_advisory_xact_lock(${codesLockSql}) as is_locked,
       current_setting('lock_timeout') as lock_timeout`,
    { userId },
  );
  const { isLocked, lockTimeout } = state!;
  if (isLocked) return;
  const lock = () => query(trx, `select pg_advisory_xact_lock(${codesLockSql})`, { userId });
  if (lockTimeout === "0" || longWaits >= maxLongWaits) return void (await lock());
  longWaits++;
  try {
    await withTimeouts(trx, { lockTimeout: "30s", statementTimeout: "30s" }, lock);
  } finally {
    longWaits--;
  }
}

/** Stores a request that was held, once for its idempotency key, for a file and for a limit. @returns its id */
export async function askForApproval(
  held: HeldRequest | { approvalId: string },
  actor: Actor,
): Promise<string> {
  if ("approvalId" in held) return held.approvalId;
  const { userId, idempotencyKey: key, input, kind, name, codes } = held;
  try {
    const { result } = await withIdempotency(db(), { userId, key, input }, async (trx) => {
      const waiting = await lockSameRequest(trx, held);
      if (waiting !== null) return { approvalId: waiting };
      const row = await one<{ id: string }>(
        trx,
        `insert into approvals (kind, input, name, codes, asked_by)
         values (:kind, cast(:input as jsonb), :name, :codes, :userId) returning id`,
        { kind, input: JSON.stringify(input), name, codes, userId },
      );
      const details = { kind, name, ...(codes !== null && { codes }) };
      await recordAction(trx, actor, "approval.asked", row!.id, { details });
      return { approvalId: row!.id };
    });
    return result.approvalId;
  } catch (cause) {
    if (cause instanceof HeldForApproval && "approvalId" in cause.held)
      return cause.held.approvalId;
    throw cause;
  }
}

/** Locks a file, or the limit, against other requests for it, and returns the id of the same one that waits. */
async function lockSameRequest(trx: Knex, { kind, name, input }: HeldRequest) {
  if (kind === "import") {
    const { id } = input as { id: string };
    await query(trx, "select from imports where id = :id for no key update", { id });
    return findImportRequest(id, trx);
  }
  if (kind !== "limit") return null;
  await lockSettings(trx);
  const waiting = await findLimitRequest(trx);
  return waiting?.name === name ? waiting.id : null;
}

/**
 * Asks a second admin for another limit.
 * @param limit codes that one person makes within 24 hours; null is without
 * @returns the id of the request, also of an earlier one for the same limit; null if that is the limit already
 * @throws DomainError invalid: `fields.approvalCodes`: there is no second admin
 */
export async function askForLimit(
  limit: number | null,
  { actor, idempotencyKey = null }: ActionOptions,
): Promise<string | null> {
  if (limit === settings().approvalCodes) return null;
  await rejectWithoutSecondAdmin(limit);
  const name =
    limit === null ? "No limit of codes" : `Limit of ${countOf(limit, "code")} in 24 hours`;
  const held = { kind: "limit", name, codes: null, input: { limit } };
  return askForApproval({ ...held, userId: actor.id, idempotencyKey }, actor);
}

/** @throws DomainError invalid: `fields.approvalCodes` */
export async function rejectWithoutSecondAdmin(limit: number | null): Promise<void> {
  if (limit === settings().approvalCodes || (await countActiveAdmins()) >= 2) return;
  const why = (await isAdminInvited()) ? "none has signed in yet" : "there is none";
  throw invalidFields({ approvalCodes: `This needs a second admin, and ${why}` });
}

/**
 * Refuses a request, or withdraws the person's own.
 * @throws DomainError conflict: it was decided otherwise or by others, or is too old
 */
export async function refuseApproval(
  id: string,
  decidedBy: Actor,
  state: "refused" | "withdrawn" = "refused",
): Promise<void> {
  try {
    await db().transaction((trx) => decide(trx, { approvalId: id, decidedBy }, state));
  } catch (cause) {
    const earlier = cause instanceof DomainError && (await findDecision(id, decidedBy, "refused"));
    if (!earlier) throw cause;
  }
}

/** Finds a decision that the same person made before, whose answer may have been lost. */
export async function findDecision(
  id: string,
  { email }: Actor,
  state: "approved" | "refused",
): Promise<Pick<Approval, "result"> | null> {
  return one(
    db(),
    "select result from approvals where id = :id and state = :state and decided_by = :email",
    { id: parseRecordId(id), state, email },
  );
}

/** Decides a request, once. */
async function decide(
  trx: Knex,
  { approvalId, decidedBy }: Decision,
  decision: "approved" | "refused" | "withdrawn",
): Promise<void> {
  const isOwn = decision === "withdrawn";
  const decided = await one<Pick<Approval, "kind" | "name" | "codes">>(
    trx,
    `update approvals a set state = :state, decided_by = :email, decided_at = now()
     where a.id = :approvalId and ${isWaitingSql} and (a.asked_by = :userId) = :isOwn
     returning a.kind, a.name, a.codes`,
    {
      state: isOwn ? "refused" : decision,
      isOwn,
      approvalId,
      email: decidedBy.email,
      userId: decidedBy.id,
    },
  );
  if (!decided)
    throw conflict(
      `This request was decided before, is too old, or is ${isOwn ? "not " : ""}your own. Nothing was changed.`,
    );
  const { kind, name, codes } = decided;
  const details = { kind, name, ...(codes !== null && { codes }) };
  await recordAction(trx, decidedBy, `approval.${decision}`, approvalId, { details });
}

/** Stores the address of what an approval makes, in the transaction that makes it. */
export async function storeApprovalResult(
  trx: Knex,
  decision: Decision | null | undefined,
  result: string,
): Promise<void> {
  if (decision) await trx("approvals").where({ id: decision.approvalId }).update({ result });
}
