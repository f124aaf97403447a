/** New passwords: which are accepted, and what ends when one is set. */
import type { Knex } from "knex";
import { db } from "../../db/connection.server";
import { conflict, invalidFields, notFound } from "../../errors";
import { parseFields, readFields } from "../../forms/form-validator";
import type { FieldErrors } from "../../forms/validator";
import { recordAction, type Actor } from "../activity/audit-log.server";
import {
  findStoredResult,
  withIdempotency,
  type ActionOptions,
} from "../activity/idempotency.server";
import { notifyUser } from "./account-notices.server";
import { hashPassword, withHashingSlot } from "./password-hash.server";
import {
  newPasswordSchema,
  passwordChangeSchema,
  type NewPassword,
  type PasswordChange,
} from "./password-rules";
import { commonPasswordError, type PasswordOwner } from "./password-strength.server";
import { checkPasswordAgain, copySession, renewSession, type Session } from "./sessions.server";
import { hashSecret } from "./tokens.server";
import { lockUser } from "./users.server";

/**
 * Returns messages about a new password, by field (RULES H9).
 * @param owner whose email and names make a password easy to guess
 */
export async function passwordErrors(
  input: NewPassword,
  owner: PasswordOwner,
): Promise<FieldErrors> {
  const { errors = {} } = readFields(newPasswordSchema(owner.email), input);
  if (errors.newPassword !== undefined) return errors;
  const error = await commonPasswordError(input.newPassword, owner);
  return error === null ? errors : { newPassword: error };
}

/**
 * Returns the hash of a new password that meets the rules. Call it after the attempt was counted and outside of
 * transactions: rating and hashing wait for their turns.
 * @throws DomainError invalid: `fields.newPassword` or `fields.confirmPassword`; unavailable: too many are waiting
 */
export async function hashNewPassword(input: NewPassword, owner: PasswordOwner): Promise<string> {
  const errors = await passwordErrors(input, owner);
  if (Object.keys(errors).length > 0) throw invalidFields(errors);
  return withHashingSlot(() => hashPassword(input.newPassword));
}

/**
 * Sets the password of a user, and ends at once all sessions and tokens: those of the API, and links that
 * were mailed. API keys stay valid.
 * @param trx the transaction that the change belongs to
 * @param passwordHash of `hashNewPassword`
 * @param options.actor who set it: the user, also when a mailed link said who that is
 * @param options.action for the audit log
 * @param options.checkedVersion the version of the credentials when the current password was checked, if it was
 * @param options.currentSession the hash of the session that goes on: the one that changes its own password
 * @throws DomainError not_found; conflict: the credentials were changed since they were checked
 */
export async function setPassword(
  trx: Knex,
  userId: string,
  passwordHash: string,
  {
    actor,
    action = "user.password_changed",
    checkedVersion,
    currentSession = null,
  }: {
    actor: Actor;
    action?: `user.password_${string}`;
    checkedVersion?: number | undefined;
    currentSession?: Buffer | null;
  },
): Promise<void> {
  const user = await lockUser(trx, userId);
  if (!user) throw notFound("User not found");
  if (checkedVersion !== undefined && user.credentialsVersion !== checkedVersion)
    throw conflict("Your password was changed meanwhile. Sign in again.");
  await trx("users")
    .where({ id: userId })
    .update({ password_hash: passwordHash, updated_at: trx.fn.now() });
  await trx.raw(
    "delete from sessions where user_id = :userId and id_hash is distinct from :currentSession",
    { userId, currentSession },
  );
  await trx.raw(
    "update tokens set revoked_at = now() where user_id = :userId and revoked_at is null",
    { userId },
  );
  await recordAction(trx, actor, action, userId);
  // An accepted invitation has no password before.
  if (action !== "user.password_chosen")
    await notifyUser(trx, userId, "password_changed", { actor });
}

/**
 * Changes the password of the signed-in user. All other sessions end, and this one gets a new id. A form that
 * is sent twice changes it once; each answer has a session.
 * @param options.newIdHash the hash of the session's new id
 * @throws SignInRejected: the current password is wrong; DomainError invalid, unavailable; conflict: the credentials
 *   were changed since they were checked, or the key was used with another new password
 */
export async function changePassword(
  session: Session,
  change: PasswordChange,
  options: Required<ActionOptions> & { clientAddress: string; newIdHash: Buffer },
): Promise<void> {
  const { actor, idempotencyKey: key, newIdHash } = options;
  parseFields(passwordChangeSchema(session.user.email), change);
  const { currentPassword, ...input } = change;
  let failedCheck: unknown;
  const checked = await checkPasswordAgain(session, currentPassword, options.clientAddress).catch(
    async (cause: unknown) => {
      if (key === null || !(await findStoredResult(actor.id, key))) throw cause;
      failedCheck = cause;
      return null;
    },
  );
  const passwordHash = await hashNewPassword(input, session.user);
  const newPassword = hashSecret(`new password of ${actor.id}: ${input.newPassword}`);
  const request = {
    userId: actor.id,
    key,
    input: { form: "password", newPassword: newPassword.toString("base64url") },
  };
  await db().transaction(async (trx) => {
    const { result, wasReplayed } = await withIdempotency(trx, request, async () => {
      // The current password is wrong, and no earlier request with this key has replaced it.
      if (!checked) throw failedCheck;
      await setPassword(trx, actor.id, passwordHash, {
        actor,
        checkedVersion: checked.credentialsVersion,
        currentSession: session.idHash,
      });
      return { sessionId: await renewSession(trx, session, newIdHash) };
    });
    if (wasReplayed) await copySession(trx, session.user, result.sessionId, newIdHash);
  });
}
