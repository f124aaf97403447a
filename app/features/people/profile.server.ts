/** A user's own profile: what it holds, and its changes by the user. */
import type { Knex } from "knex";
import * as z from "zod/mini";
import { db, one, query } from "../../db/connection.server";
import { conflict, invalidFields, notFound, requireVersion } from "../../errors";
import { parseFields } from "../../forms/form-validator";
import { changesBetween, recordAction } from "../activity/audit-log.server";
import { type ActionOptions, optionsOf, runOnce } from "../activity/idempotency.server";
import { type AvatarIcon, isAvatarIcon } from "./avatar";
import { profileSchema, type ProfileValues } from "./profile-forms";
import type { User } from "../sign-in/user";
import { selectUserSql } from "../sign-in/users.server";

export type Profile = User & ProfileValues & { version: number };

/**
 * Reads a profile, and locks it in a transaction.
 * @throws DomainError not_found: the user was deleted meanwhile
 */
export async function getProfile(id: string, database: Knex = db()): Promise<Profile> {
  const lock = database.isTransaction ? "for no key update" : "";
  const profile = await one<Profile>(
    database,
    `select ${selectUserSql}, phone, company, version from users where id = :id ${lock}`,
    { id },
  );
  if (!profile) throw notFound("User not found");
  return profile;
}

/**
 * Changes a user's own profile, once for each idempotency key.
 * @param input the fields that the form has; others stay
 * @param version the one that the form was opened with. Nothing is written if the user has changed since, but
 *   repeating the same change is no conflict.
 * @throws DomainError invalid, conflict, not_found
 */
export async function editProfile(
  input: Partial<ProfileValues>,
  version: number,
  options: ActionOptions,
): Promise<{ changed: boolean }> {
  const { actor } = options;
  const parsed = parseFields(z.partial(profileSchema), input);
  // A field that is left out is parsed as an empty one.
  const sent = Object.entries(parsed).filter(([name]) => Object.hasOwn(input, name));
  const values = Object.fromEntries(sent) as Partial<ProfileValues>;
  return runOnce(optionsOf("profile", options), values, async (trx) => {
    const existing = await getProfile(actor.id, trx);
    const changes = Object.entries(changesBetween<ProfileValues>(existing, values));
    if (changes.length === 0) return { changed: false };
    requireVersion(existing.version, version, "Your profile was changed");
    const { firstName, lastName, phone, company } = { ...existing, ...values };
    await query(
      trx,
      `update users set first_name = :firstName, last_name = :lastName, phone = :phone,
         company = :company, version = :version, updated_at = now() where id = :id`,
      { firstName, lastName, phone, company, version: version + 1, id: actor.id },
    );
    const details = Object.fromEntries(
      changes.map(([name, change]) => [columnNames[name] ?? name, change]),
    );
    await recordAction(trx, actor, "user.profile_edited", actor.id, { details });
    return { changed: true };
  });
}

/**
 * Saves a form of a user's own profile. Two people of one browser may have the same version.
 * @param input.account the address of the person who opened the form; '' where nobody is named
 * @throws DomainError as `editProfile`; conflict: it is another person's form
 */
export async function saveProfileForm(
  { account, version, ...values }: Partial<ProfileValues> & { account: string; version: number },
  options: ActionOptions,
) {
  if (account !== "" && account !== options.actor.email)
    throw conflict(
      "Somebody else was signed in when this form was opened. Nothing was saved. The page shows your values, the form shows those that were typed.",
    );
  return editProfile(values, version, options);
}

/** Names the fields in the audit log. */
const columnNames: Record<string, string> = { firstName: "first_name", lastName: "last_name" };

/**
 * Shows an icon as a user's avatar, instead of another icon or an image, once for each idempotency key. It is no part of
 * the version: it conflicts with no other change.
 * @throws DomainError invalid, not_found
 */
export async function chooseAvatarIcon(
  icon: AvatarIcon,
  options: ActionOptions,
): Promise<{ changed: boolean }> {
  if (!isAvatarIcon(icon)) throw invalidFields({ avatarIcon: "Choose an avatar" });
  const { actor } = options;
  return runOnce(optionsOf("avatar", options), { icon }, async (trx) => {
    const { avatarIcon, avatarId } = await getProfile(actor.id, trx);
    if (avatarIcon === icon && avatarId === null) return { changed: false };
    await trx("users").where({ id: actor.id }).update({ avatar_icon: icon, avatar_id: null });
    await recordAction(trx, actor, "user.avatar_chosen", actor.id, {
      details: { avatar: { from: avatarId === null ? avatarIcon : "image", to: icon } },
    });
    return { changed: true };
  });
}
