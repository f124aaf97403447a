import { namesIn } from "../../db/pages.server";
import { randomInt } from "node:crypto";
import * as z from "zod/mini";
import type { Knex } from "knex";
import { type Database, db, one, query, readValue } from "../../db/connection.server";
import { conflict } from "../../errors";
import { hashPassword } from "./password-hash.server";
import type { CheckedUser, Role } from "./user";

const columns = ["id", "email", "first_name", "last_name", "role", "avatar_icon", "avatar_id"];

/** Selects a `User` from `users`: an allow-list without secrets. */
export const selectUserSql = columns.map((column) => `users.${column}`).join(", ");

/** Selects a `CheckedUser` from `users`, in the statement that reads what is checked. */
export const selectCheckedUserSql = `${selectUserSql}, users.credentials_version`;

/**
 * The user of `:userId`, unless the credentials are no longer those that were checked. Used with `for share`, it
 * waits for a change that is being made, and a change waits for it: so what is inserted with it is seen and
 * ended by the change.
 */
export const stillCheckedSql = `users.id = :userId and users.credentials_version = :credentialsVersion
  and not users.is_disabled`;

/** Whether a user has a second factor: an authenticator app or a passkey. @param userIdSql an expression */
export const hasSecondFactorSql = (userIdSql: string) =>
  `(exists (select from second_factors f where f.user_id = ${userIdSql} and f.confirmed_at is not null)
    or exists (select from passkeys p where p.user_id = ${userIdSql}))`;

/** Selects a `User` from a subquery that has `selectUserSql` among its columns. */
export const userColumnsSql = columns.join(", ");

/**
 * Creates the admin of an installation without users.
 * @param admin.password null generates one
 * @returns the generated password, to be shown once, or null if it was given; null if there are
 *   users already
 */
export async function createFirstAdmin(
  admin: { email: string; password: string | null },
  database: Database = db(),
): Promise<{ email: string; password: string | null } | null> {
  if (await database("users").first("id")) return null;
  const password = admin.password ?? randomPassword();
  await createUser({ ...admin, password, firstName: "Admin", role: "admin" }, database);
  return { email: admin.email, password: admin.password === null ? password : null };
}

/**
 * Locks all changes of users until the transaction ends: two admins who remove each other would otherwise wait for
 * each other's row.
 */
export async function lockUsers(trx: Knex): Promise<void> {
  await query(trx, "select pg_advisory_xact_lock(hashtext('users'))");
}

/**
 * Locks a user, so that keys, passkeys, photos and the password change one at a time.
 * @returns null if there is no such user any more
 */
export async function lockUser(
  trx: Knex,
  userId: string | null,
): Promise<{ credentialsVersion: number; isDisabled: boolean; role: Role } | null> {
  return one(
    trx,
    "select credentials_version, is_disabled, role from users where id = :userId for no key update",
    { userId },
  );
}

/**
 * Locks the user who adds a key or a factor: whoever undoes a change of the address waits, and then ends it (RULES H21).
 * @throws DomainError conflict: the credentials were changed since the request was let in
 */
export async function lockActor(
  trx: Knex,
  { id, credentialsVersion }: { id: string; credentialsVersion?: number },
): ReturnType<typeof lockUser> {
  const user = await lockUser(trx, id);
  if (credentialsVersion !== undefined && user?.credentialsVersion !== credentialsVersion)
    throw conflict("Your account was changed meanwhile. Sign in again.");
  return user;
}

/** Generates 20 characters (99 bits), none of which looks like another. */
function randomPassword(): string {
  const alphabet = "23456789abcdefghjkmnpqrstuvwxyz";
  const character = () => alphabet[randomInt(alphabet.length)];
  return Array.from({ length: 4 }, () => Array.from({ length: 5 }, character).join("")).join("-");
}

/** @param user.password null until an invitation is accepted; such a user can't sign in */
export async function createUser(
  user: {
    email: string;
    password: string | null;
    role: Role;
    firstName?: string;
    isVerified?: boolean;
  },
  database: Database = db(),
): Promise<CheckedUser> {
  const created = await one<CheckedUser>(
    database,
    `insert into users (email, password_hash, first_name, role, email_verified_at)
     values (:email, :passwordHash, :firstName, :role, case when :isVerified then now() end)
     returning ${selectCheckedUserSql}`,
    {
      email: user.email.toLowerCase(),
      passwordHash: user.password === null ? null : await hashPassword(user.password),
      firstName: user.firstName ?? "",
      role: user.role,
      isVerified: user.isVerified !== false,
    },
  );
  return created!;
}

export const credentialsBody = z.object({
  email: z.string(),
  password: z.string(),
  code: z.optional(z.string()),
});

/** Returns the role of a user; null for one who is disabled or deleted. */
export async function findActiveRole(id: string): Promise<Role | null> {
  const sql = "select role from users where id = :id and not is_disabled";
  return (await one<{ role: Role }>(db(), sql, { id }))?.role ?? null;
}

/** Counts admins who can sign in with a password. @param exceptId the id of one who is left out */
export function countActiveAdmins(
  database: Database = db(),
  exceptId: string | null = null,
): Promise<number> {
  return readValue(
    database,
    `select count(*)::integer from users where role = 'admin' and not is_disabled
       and password_hash is not null and email_verified_at is not null
       and id is distinct from cast(:exceptId as bigint)`,
    { exceptId },
  );
}

/** Tells whether an admin was invited who can't sign in yet. */
export function isAdminInvited(): Promise<boolean> {
  return readValue(
    db(),
    `select exists (select from users where role = 'admin' and not is_disabled
       and (password_hash is null or email_verified_at is null))`,
  );
}

export const userNames = namesIn("users", "email", ["email", "first_name || ' ' || last_name"]);
