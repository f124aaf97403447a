/** Rights over users that API keys and access tokens don't have from their admin (RULES H20). */
import { forbidden } from "../../errors";
import type { Actor } from "../activity/audit-log.server";
import type { Role, User } from "../sign-in/user";

/** Fields of an admin that open the account or decide what it may do. */
const guardedFields = ["email", "role", "disabled"];

/**
 * @param changes by field
 * @throws DomainError forbidden: a key changes its own user, or more of an admin than names and phone
 */
export function rejectEditByKey(
  actor: Actor,
  user: Pick<User, "id" | "role">,
  changes: object,
): void {
  if (!actor.bearer?.isKey) return;
  if (user.id === actor.id) throw forbidden("A key can't change the user who made it.");
  if (user.role === "admin" && guardedFields.some((field) => field in changes))
    throw forbidden("A key can't change an admin's address, role or state.");
}

/** @throws DomainError forbidden: a key deletes an admin */
export function rejectDeletionByKey(actor: Actor, user: Pick<User, "role">): void {
  if (actor.bearer?.isKey && user.role === "admin") throw forbidden("A key can't delete an admin.");
}

/** @throws DomainError forbidden: a key makes an admin, or a token whose sign-in is too old for it */
export function rejectNewRole({ bearer }: Actor, role: Role): void {
  if (!bearer || role !== "admin") return;
  if (bearer.isKey) throw forbidden("A key can't give this role.");
  if (!bearer.isPasswordRecent)
    throw forbidden("To make somebody an admin, sign in again: more than 10 minutes have passed.");
}
