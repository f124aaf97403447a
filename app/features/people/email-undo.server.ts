/** Links that undo a change of an email address, mailed to the old one (RULES H21). */
import type { Knex } from "knex";
import { db, one, query } from "../../db/connection.server";
import { violatesConstraint } from "../../db/database-errors.server";
import type { Leftovers } from "../../db/sweep.server";
import { conflict } from "../../errors";
import { serverPaths } from "../../paths";
import { recordAction, type Actor, type Origin } from "../activity/audit-log.server";
import { hasSignedInAs, wasDoneToUserSince } from "../activity/past-actions.server";
import { endedUndoMessage } from "../sign-in/account-links";
import { mailAccountLink } from "../sign-in/account-mails.server";
import { notifyUser } from "../sign-in/account-notices.server";
import { endRecoveryCodesSince } from "../second-factor/recovery-codes.server";
import { endSecondFactor, hasSecondFactor } from "../second-factor/second-factor.server";
import { hashSecret, isWellFormedSecret, newSecret } from "../sign-in/tokens.server";
import { lockUsers } from "../sign-in/users.server";

const validMinutes = 72 * 60;

export const endedUndos: Leftovers = {
  table: "email_undos",
  conditionSql: "expires_at < now()",
};

/** Changes what later features hold of an address, in the same transaction. @param change null of a user who is deleted */
export type OnNewEmail = (
  trx: Knex,
  change: { from: string; to: string | null },
  actor: Actor,
) => Promise<void>;

type EmailUndo = {
  id: string;
  userId: string;
  /** The address to restore. */
  email: string;
  currentEmail: string;
  changedAt: Date;
};

/**
 * Tells a user about a change of the address: at the new one, and at the old one if anybody ever signed in with it,
 * since it may have been mistyped. The old one gets a link that undoes the change.
 */
export async function tellChangedEmail(
  trx: Knex,
  userId: string,
  { from, to }: { from: string; to: string },
  { actor }: { actor: Actor },
): Promise<void> {
  const options = { actor, detail: `${from} → ${to}` };
  await notifyUser(trx, userId, "email_changed", options);
  if (!(await hasSignedInAs(trx, userId, from))) return;
  const secret = newSecret("vql_");
  await query(
    trx,
    `insert into email_undos (hash, user_id, email, expires_at)
     values (:hash, :userId, :email, now() + interval '1 minute' * ${validMinutes})`,
    { hash: hashSecret(secret), userId, email: from },
  );
  await notifyUser(trx, userId, "email_changed", {
    ...options,
    recipient: from,
    link: { path: `${serverPaths.emailUndo}?token=${secret}`, validMinutes },
  });
}

/** Returns the change that a link undoes; null if the link has ended or its user is disabled. */
export async function findEmailUndo(secret: string, database: Knex = db()) {
  if (!isWellFormedSecret(secret)) return null;
  return one<EmailUndo>(
    database,
    `select u.id, u.user_id, u.email, u.changed_at, users.email as current_email
     from email_undos u join users on users.id = u.user_id
     where u.hash = :hash and u.expires_at > now() and not users.is_disabled`,
    { hash: hashSecret(secret) },
  );
}

/**
 * Restores an address. The account may have been taken over since: its password, all its sessions, tokens and links
 * end, except those that undo an earlier change, and so do keys, passkeys, recovery codes and an authenticator app that
 * were added after the change, and the own key if it was revealed after it. The set-up of an app that was never
 * confirmed ends, too: somebody else may have seen its secret, which stays the same until then. The address gets a link
 * for a new password.
 * @throws DomainError conflict: the link has ended, or the address belongs to another user now
 */
export async function undoEmailChange(
  secret: string,
  origin: Origin,
  onNewEmail?: OnNewEmail,
): Promise<void> {
  await db().transaction(async (trx) => {
    await lockUsers(trx);
    const undo = await findEmailUndo(secret, trx);
    if (!undo) throw conflict(endedUndoMessage);
    const { userId, email, currentEmail } = undo;
    await query(
      trx,
      `update users set email = :email, password_hash = null, version = version + 1, updated_at = now()
       where id = :userId`,
      { userId, email },
    ).catch((cause: unknown) => {
      throw violatesConstraint(cause, "users_email")
        ? conflict("Another account has this address now. Ask an admin for help.")
        : cause;
    });
    await endAccess(trx, undo);
    const actor = { ...origin, id: userId, email };
    await recordAction(trx, actor, "user.email_change_undone", userId, {
      details: { email: { from: currentEmail, to: email } },
    });
    await onNewEmail?.(trx, { from: currentEmail, to: email }, actor);
    if (await hasSignedInAs(trx, userId, currentEmail))
      await notifyUser(trx, userId, "email_put_back", {
        actor,
        recipient: currentEmail,
        detail: `${currentEmail} → ${email}`,
      });
    await mailAccountLink(trx, "password_reset", { recipient: email, userId }, {});
  });
}

/** Ends whatever could open the account to somebody who took it over after the change. */
async function endAccess(trx: Knex, { id, userId, changedAt }: EmailUndo): Promise<void> {
  const wasRevealed = await wasDoneToUserSince(trx, userId, ["user.api_key_revealed"], changedAt);
  await query(
    trx,
    `with ended_sessions as (delete from sessions where user_id = :userId),
       ended_tokens as (delete from tokens where user_id = :userId),
       ended_undos as (delete from email_undos where user_id = :userId and id >= :id),
       new_passkeys as (delete from passkeys where user_id = :userId and created_at > :changedAt),
       new_app as (delete from second_factors where user_id = :userId
         and (confirmed_at is null or confirmed_at > :changedAt))
     update api_keys set revoked_at = now()
     where (user_id = :userId or created_by = :userId) and revoked_at is null
       and (created_at > :changedAt or user_id = :userId and :wasRevealed)`,
    { id, userId, changedAt, wasRevealed },
  );
  await endRecoveryCodesSince(trx, userId, changedAt);
  if (!(await hasSecondFactor(userId, trx))) await endSecondFactor(trx, userId);
}
