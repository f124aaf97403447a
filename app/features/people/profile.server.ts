/** A user's own profile: what it holds, and its changes by the user. */
import type { Knex } from "knex";
import { db, one } from "../../db/connection.server";
import { DomainError, invalidFields, requireVersion } from "../../errors";
import { recordAction, type Actor } from "../activity/audit-log.server";
import { type AvatarIcon, isAvatarIcon } from "./avatar";
import { profileErrors, type ProfileValues } from "./profile-forms";
import type { User } from "../sign-in/user";
import { selectUserSql } from "../sign-in/users.server";

export type Profile = User & ProfileValues & { version: number };

const selectProfileSql = `select ${selectUserSql}, phone, company, version from users where id = :id`;

/** @throws DomainError not_found: the user was deleted meanwhile */
export async function getProfile(id: string): Promise<Profile> {
  return found(await one<Profile>(db(), selectProfileSql, { id }));
}

function lockProfile(trx: Knex, id: string): Promise<Profile | null> {
  return one<Profile>(trx, `${selectProfileSql} for no key update`, { id });
}

function found(profile: Profile | null): Profile {
  if (!profile) throw new DomainError("not_found", "User not found");
  return profile;
}

/**
 * Changes a user's own profile.
 * @param values the fields that the form has; others stay
 * @param version the one that the form was opened with. Nothing is written if the user has changed since, but
 *   repeating the same change is no conflict.
 * @throws DomainError invalid, conflict, not_found
 */
export async function editProfile(
  values: Partial<ProfileValues>,
  version: number,
  { actor }: { actor: Actor },
): Promise<{ changed: boolean }> {
  const errors = profileErrors(values);
  if (Object.keys(errors).length > 0) throw invalidFields(errors);
  return db().transaction(async (trx) => {
    const existing = found(await lockProfile(trx, actor.id));
    const changes = changesOf(existing, values);
    if (Object.keys(changes).length === 0) return { changed: false };
    requireVersion(existing.version, version, "Your profile was changed");
    const { firstName, lastName, phone, company } = { ...existing, ...values };
    await trx("users")
      .where({ id: actor.id })
      .update({
        first_name: firstName,
        last_name: lastName,
        phone,
        company,
        version: version + 1,
        updated_at: trx.fn.now(),
      });
    await recordAction(trx, actor, "user.profile_edited", actor.id, { details: changes });
    return { changed: true };
  });
}

const columnNames: Record<keyof ProfileValues, string> = {
  firstName: "first_name",
  lastName: "last_name",
  phone: "phone",
  company: "company",
};

function changesOf(existing: Profile, values: Partial<ProfileValues>) {
  const names = Object.keys(values) as (keyof ProfileValues)[];
  return Object.fromEntries(
    names
      .filter((name) => values[name] !== existing[name])
      .map((name) => [columnNames[name], { from: existing[name], to: values[name] }]),
  );
}

/**
 * Shows an icon as a user's avatar, instead of another icon or an image. It is no part of the version: it
 * conflicts with no other change.
 * @throws DomainError invalid, not_found
 */
export async function chooseAvatarIcon(
  icon: AvatarIcon,
  { actor }: { actor: Actor },
): Promise<{ changed: boolean }> {
  if (!isAvatarIcon(icon)) throw invalidFields({ avatarIcon: "Choose an avatar" });
  return db().transaction(async (trx) => {
    const { avatarIcon, avatarId } = found(await lockProfile(trx, actor.id));
    if (avatarIcon === icon && avatarId === null) return { changed: false };
    await trx("users").where({ id: actor.id }).update({ avatar_icon: icon, avatar_id: null });
    await recordAction(trx, actor, "user.avatar_chosen", actor.id, {
      details: { avatar: { from: avatarId === null ? avatarIcon : "image", to: icon } },
    });
    return { changed: true };
  });
}
