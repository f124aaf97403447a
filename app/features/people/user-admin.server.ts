/** Users as admins manage them: listed, created, edited, deleted (RULES H12). */
import type { Knex } from "knex";
import { db, one, query } from "../../db/connection.server";
import { violatesConstraint } from "../../db/database-errors.server";
import { isSinceDaySql, isUntilDaySql, siteTimeZone } from "../../db/site.server";
import { containsPattern, type PageQuery, queryPage } from "../../db/pages.server";
import {
  conflict,
  DomainError,
  forbidden,
  invalidFields,
  notFound,
  requireVersion,
} from "../../errors";
import { parseRecordId } from "../../forms/record-id";
import { changesBetween, recordAction, type Actor } from "../activity/audit-log.server";
import { hasSignedInAs } from "../activity/past-actions.server";
import { type ActionOptions, runOnce } from "../activity/idempotency.server";
import { rejectDeletionByKey, rejectNewRole, rejectEditByKey } from "./bearer-rules.server";
import type { NewPicture } from "../pictures/picture-image.server";
import { storePhoto } from "./photos.server";
import {
  dropUnsentMails,
  mailsAboutSite,
  mailsNotFor,
  mailsWithLinks,
} from "../mail/outbox.server";
import { mailAccountLink } from "../sign-in/account-mails.server";
import { revokeApiKey } from "../sign-in/api-key.server";
import { type OnNewEmail, tellChangedEmail } from "./email-undo.server";
import type { ManagedUser, UserEdit, UserValues } from "./managed-user";
import type { UserFilters, UserSort } from "./user-list";
import { readStoredSettings } from "../settings/settings.server";
import { canEdit } from "../sign-in/user";
import { countActiveAdmins, lockUser, lockUsers, selectUserSql } from "../sign-in/users.server";

const managedSql = `${selectUserSql}, users.phone as phone_number, users.is_disabled,
  users.email_verified_at is not null as is_verified,
  users.password_hash is not null as has_password,
  users.created_at, users.updated_at, users.version,
  (select json_build_object('id', id, 'name', name, 'sizeInBytes', length(content))
    from avatars where avatars.id = users.avatar_id) as photo`;

const orderSql: Record<UserSort["by"], string> = {
  firstName: "lower(first_name)",
  lastName: "lower(last_name)",
  phoneNumber: "phone",
  email: "email",
  role: "role",
  state: "is_disabled, password_hash is null, email_verified_at is null",
  createdAt: "created_at",
};

/** Site-local days, YYYY-MM-DD; null is no bound. */
export type CreatedRange = { createdFrom: string | null; createdTo: string | null };

export async function listUsers({
  firstName,
  lastName,
  phoneNumber,
  email,
  createdFrom = null,
  createdTo = null,
  sort: { by, isDescending },
  ...pageQuery
}: UserFilters & Partial<CreatedRange> & { sort: UserSort } & PageQuery) {
  const matches = `first_name ilike :firstName and last_name ilike :lastName
    and phone ilike :phoneNumber and email ilike :email
    and (cast(:createdFrom as date) is null
      or ${isSinceDaySql("created_at", "createdFrom")})
    and (cast(:createdTo as date) is null
      or ${isUntilDaySql("created_at", "createdTo")})`;
  const order = orderSql[by]
    .split(", ")
    .map((expression) => `${expression} ${isDescending ? "desc" : "asc"}`)
    .join(", ");
  const texts = { firstName, lastName, phoneNumber, email };
  const { rows, ...list } = await queryPage<ManagedUser>(
    {
      from: `users where ${matches}`,
      rows: `select ${managedSql} from users where ${matches}
        order by ${order}, id limit :perPage offset :offset`,
    },
    {
      ...Object.fromEntries(
        Object.entries(texts).map(([name, text]) => [name, containsPattern(text.trim())]),
      ),
      createdFrom,
      createdTo,
      timeZone: siteTimeZone(),
    },
    pageQuery,
  );
  return { users: rows, ...list };
}

/** Finds people by a part of their mail address or name, those with the whole address first. */
export function findUsers(
  text: string,
  limit: number,
): Promise<{ id: string; email: string; name: string }[]> {
  return query(
    db(),
    `select id, email, trim(first_name || ' ' || last_name) as name from users
     where email ilike :pattern or first_name || ' ' || last_name ilike :pattern
     order by lower(email) <> lower(:text), email, id limit :limit`,
    { pattern: containsPattern(text), text, limit },
  );
}

/** @throws DomainError not_found */
export async function getManagedUser(id: string, database: Knex = db()): Promise<ManagedUser> {
  const user = await one<ManagedUser>(database, `select ${managedSql} from users where id = :id`, {
    id: parseRecordId(id),
  });
  if (!user) throw notFound("User not found");
  return user;
}

/**
 * Creates a user without a password, and mails the link that sets one.
 * @throws DomainError invalid: the email is taken; conflict: the key was used for something else; forbidden:
 *   the API key or token of the actor may not give the role
 */
export async function createManagedUser(
  values: UserValues,
  options: ActionOptions,
  photo: NewPicture | null = null,
): Promise<{ id: string }> {
  rejectNewRole(options.actor, values.role);
  const request = { ...values, photo: photo?.digest };
  const { userId: id } = await runOnce(options, request, async (trx) => {
    const created = await one<{ id: string; email: string }>(
      trx,
      `insert into users (email, first_name, last_name, phone, role, is_disabled)
       values (:email, :firstName, :lastName, :phoneNumber, :role, :disabled)
       on conflict (email) do nothing returning id, email`,
      values,
    );
    if (!created) throw emailTaken();
    await recordAction(trx, options.actor, "user.created", created.id, { details: values });
    if (photo) await storePhoto(trx, photo, created.id, options);
    if (!values.disabled) await mailInvitation(trx, created, options.actor);
    return { userId: created.id };
  });
  return { id };
}

/**
 * Changes a user, once for each idempotency key. Repeating an edit is no conflict. Triggers end the sessions and tokens
 * of a user who is disabled or gets another role, and the links that were mailed to an address that changes.
 * @param photo the new avatar; null leaves it
 * @throws DomainError not_found; invalid: the email is taken; forbidden: one's own role or state, or what the
 *   API key or token of the actor may not change; conflict: the last admin, the version has moved, or there are ten
 *   photos already
 */
export async function editManagedUser(
  id: string,
  { version, ...values }: UserEdit,
  { onNewEmail, ...options }: ActionOptions & { onNewEmail?: OnNewEmail },
  photo: NewPicture | null = null,
): Promise<void> {
  await runOnce(options, { id, ...values, photo: photo?.digest }, async (trx) => {
    const user = await lockManagedUser(trx, id);
    await changeValues(trx, user, { version, ...values }, options.actor);
    if (values.email !== user.email)
      await onNewEmail?.(trx, { from: user.email, to: values.email }, options.actor);
    if (photo) await storePhoto(trx, photo, user.id, options);
  });
}

async function changeValues(
  trx: Knex.Transaction,
  user: ManagedUser,
  { version, ...values }: UserEdit,
  actor: Actor,
): Promise<void> {
  const current = valuesOf(user);
  const changes = changesBetween(current, values);
  if (Object.keys(changes).length === 0) return;
  rejectOwn(actor, user.id, changes);
  rejectEditByKey(actor, user, changes);
  if ("role" in changes) rejectNewRole(actor, values.role);
  requireVersion(user.version, version, "Someone else changed this user");
  if (isActiveAdmin(current) && !isActiveAdmin(values)) await rejectLastAdmin(trx, user.id);
  const becomesViewer = "role" in changes && !canEdit(values);
  // A trigger would revoke it, too, and tell nobody. Disabling the user has revoked it before.
  if (becomesViewer && !user.isDisabled)
    await revokeApiKey(trx, user.id, { actor, detail: "viewers have none" });
  await query(
    trx,
    `update users set email = :email, first_name = :firstName, last_name = :lastName,
       phone = :phoneNumber, role = :role, is_disabled = :disabled, version = version + 1,
       updated_at = now() where id = :id`,
    { ...values, id: user.id },
  ).catch((cause: unknown) => {
    throw violatesConstraint(cause, "users_email") ? emailTaken() : cause;
  });
  await recordAction(trx, actor, "user.edited", user.id, { details: changes });
  const { email } = values;
  await dropUnsentMails(trx, mailsNotFor(values, user.role), user.email);
  if ("email" in changes) {
    // Undoing an earlier change has ended the password of somebody who has signed in (RULES H21).
    if (user.hasPassword || (await hasSignedInAs(trx, user.id, user.email)))
      await tellChangedEmail(trx, user.id, { from: user.email, to: email }, { actor });
  }
  // Each of these changes ends the links that were mailed before.
  const endsLinks = ["email", "role", "disabled"].some((name) => name in changes);
  if (endsLinks && !user.hasPassword) {
    await dropUnsentMails(trx, ["invitation"], user.email);
    if (!values.disabled) await mailInvitation(trx, { id: user.id, email }, actor);
  }
}

/** Mails the link that sets the first password; earlier links end, and mails with one that have not left are dropped. */
async function mailInvitation(
  trx: Knex,
  { id, email }: Pick<ManagedUser, "id" | "email">,
  { email: invitedBy }: Actor,
): Promise<void> {
  await dropUnsentMails(trx, ["invitation"], email);
  await mailAccountLink(trx, "invitation", { recipient: email, userId: id }, { invitedBy });
}

type DeleteOptions = { actor: Actor; onNewEmail?: OnNewEmail };

/** @throws DomainError not_found; forbidden: oneself, or an admin by a key; conflict: the last admin */
export async function deleteUser(id: string, { actor, onNewEmail }: DeleteOptions): Promise<void> {
  await db().transaction(async (trx) => {
    const user = await lockManagedUser(trx, id);
    if (user.id === actor.id) throw forbidden("You can't delete yourself");
    rejectDeletionByKey(actor, user);
    if (isActiveAdmin(valuesOf(user))) await rejectLastAdmin(trx, user.id);
    // Views that colleagues use stay (RULES L9).
    await query(
      trx,
      "update saved_views set user_id = null, is_default = false where user_id = :id and is_shared",
      { id: user.id },
    );
    await query(trx, "delete from users where id = :id", { id: user.id });
    await dropUnsentMails(trx, [...mailsAboutSite, ...mailsWithLinks], user.email);
    await onNewEmail?.(trx, { from: user.email, to: null }, actor);
    await recordAction(trx, actor, "user.deleted", user.id, { details: { email: user.email } });
  });
}

/**
 * Invites a user who has no password yet once more, with one mail for each idempotency key; earlier links end.
 * @throws DomainError not_found; conflict: the user has a password or is disabled
 */
export async function inviteAgain(id: string, options: ActionOptions): Promise<void> {
  const { actor } = options;
  await runOnce(options, { invited: id }, async (trx) => {
    const user = await lockManagedUser(trx, id);
    if (user.hasPassword) throw conflict("This user has accepted the invitation already.");
    if (user.isDisabled) throw conflict("This user is disabled. Enable the user first.");
    await mailInvitation(trx, user, actor);
    await recordAction(trx, actor, "user.invited", user.id);
  });
}

/** Locks a user, also against changes by that user, and everybody else's changes of users. */
async function lockManagedUser(trx: Knex.Transaction, id: string): Promise<ManagedUser> {
  await lockUsers(trx);
  await lockUser(trx, parseRecordId(id));
  return getManagedUser(id, trx);
}

export function valuesOf(user: ManagedUser): UserValues {
  const { firstName, lastName, phoneNumber, email, role, isDisabled } = user;
  return { firstName, lastName, phoneNumber, email, role, disabled: isDisabled };
}

const isActiveAdmin = ({ role, disabled }: Pick<UserValues, "role" | "disabled">) =>
  role === "admin" && !disabled;

function rejectOwn(actor: Actor, userId: string, changes: object): void {
  if (actor.id !== userId) return;
  const messages = {
    role: "You can't change your own role",
    disabled: "You can't disable yourself",
  };
  const rejected = Object.entries(messages).filter(([name]) => name in changes);
  if (rejected.length > 0)
    throw new DomainError("forbidden", rejected[0]![1], Object.fromEntries(rejected));
}

async function rejectLastAdmin(trx: Knex.Transaction, userId: string): Promise<void> {
  const others = await countActiveAdmins(trx, userId);
  if (others === 0) throw conflict("This is the last admin. Make somebody else an admin first.");
  // Another instance may have set the limit a moment ago.
  if (others === 1 && (await readStoredSettings(trx)).approvalCodes !== null)
    throw conflict(
      "Many codes wait for a second admin, and this is one of two. Make somebody else an admin first.",
    );
}

function emailTaken(): DomainError {
  return invalidFields({ email: "User with this email already exists" });
}
