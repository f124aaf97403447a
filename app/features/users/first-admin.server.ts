import { randomInt } from "node:crypto";
import { db, type Database } from "../../db/connection.server";
import { hashPassword } from "./passwords.server";

export type FirstAdmin = {
  email: string;
  /** The generated password, to be shown once; null when the operator gave one. */
  password: string | null;
};

/**
 * Gives an empty installation its one admin (rulings 2.6).
 * @param admin.password null makes a random one
 * @returns null when there are users already
 */
export async function createFirstAdmin(
  admin: { email: string; password: string | null },
  database: Database = db(),
): Promise<FirstAdmin | null> {
  if (await database("users").first("id")) return null;

  const password = admin.password ?? randomPassword();
  await database("users").insert({
    email: admin.email.toLowerCase(),
    password_hash: await hashPassword(password),
    first_name: "Admin",
    role: "admin",
    email_verified_at: database.fn.now(),
  });
  return { email: admin.email, password: admin.password === null ? password : null };
}

/** 20 characters, 99 bits, none of which can be taken for another. */
function randomPassword(): string {
  const alphabet = "23456789abcdefghjkmnpqrstuvwxyz";
  const character = () => alphabet[randomInt(alphabet.length)];
  return Array.from({ length: 4 }, () => Array.from({ length: 5 }, character).join("")).join("-");
}
