import { db, type Database } from "../../db/connection.server";
import { hashPassword } from "./passwords.server";
import type { Role, User } from "./user";

/** The columns that `userFromRow` reads, and no secret. */
export const userColumns = [
  "users.id",
  "users.email",
  "users.first_name",
  "users.last_name",
  "users.role",
  "users.avatar_icon",
] as const;

export type UserRow = {
  id: string;
  email: string;
  first_name: string;
  last_name: string;
  role: Role;
  avatar_icon: string;
};

export function userFromRow(row: UserRow): User {
  return {
    id: row.id,
    email: row.email,
    firstName: row.first_name,
    lastName: row.last_name,
    role: row.role,
    avatarIcon: row.avatar_icon,
  };
}

/** @param user.password null until an invitation is accepted; such a user can't sign in */
export async function createUser(
  user: {
    email: string;
    password: string | null;
    role: Role;
    firstName?: string;
    lastName?: string;
    isVerified?: boolean;
  },
  database: Database = db(),
): Promise<User> {
  const [row] = await database("users")
    .insert({
      email: user.email.toLowerCase(),
      password_hash: user.password === null ? null : await hashPassword(user.password),
      first_name: user.firstName ?? "",
      last_name: user.lastName ?? "",
      role: user.role,
      email_verified_at: user.isVerified === false ? null : database.fn.now(),
    })
    .returning<UserRow[]>([...userColumns]);
  return userFromRow(row!);
}
