import { randomInt } from "node:crypto";
import { db, one, type Database } from "../../db/connection.server";
import { hashPassword } from "./passwords.server";
import type { Role, User } from "./user";

const columns = ["id", "email", "first_name", "last_name", "role", "avatar_icon"];

/** Selects a `User` from `users`: an allow-list without secrets. */
export const selectUserSql = columns.map((column) => `users.${column}`).join(", ");

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
): Promise<User> {
  const created = await one<User>(
    database,
    `insert into users (email, password_hash, first_name, role, email_verified_at)
     values (:email, :passwordHash, :firstName, :role, case when :isVerified then now() end)
     returning ${selectUserSql}`,
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
