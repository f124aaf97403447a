/** Ends passkeys: one of them, or all of a user. */
import type { Knex } from "knex";
import { db, one, query } from "../../db/connection.server";
import { notFound } from "../../errors";
import { parseRecordId } from "../../forms/record-id";
import { recordAction, type Actor } from "../activity/audit-log.server";
import { notifyUser } from "../sign-in/account-notices.server";
import { listPasskeys } from "./passkeys.server";
import {
  endSecondFactor,
  hasAuthenticatorApp,
  hasSecondFactor,
  requireOptionalSecondFactor,
} from "./second-factor.server";
import type { User } from "../sign-in/user";
import { lockUser } from "../sign-in/users.server";

/**
 * Returns the name of a passkey, and whether two-step verification ends with it.
 * @param id as it came in a URL
 * @throws DomainError not_found
 */
export async function previewRemoval(
  userId: string,
  id: string,
): Promise<{ name: string; isLastFactor: boolean }> {
  const passkeys = await listPasskeys(userId);
  const passkey = passkeys.find((each) => each.id === id);
  if (!passkey) throw notFound("Passkey not found");
  const isLastFactor = passkeys.length === 1 && !(await hasAuthenticatorApp(userId));
  return { name: passkey.name, isLastFactor };
}

/**
 * Removes a passkey. With the last second factor its recovery codes and trusted browsers end too.
 * @param id as it came in a URL
 * @throws DomainError not_found; forbidden: it is the last second factor, and the site requires one
 */
export async function removePasskey(
  { id: userId, role }: Pick<User, "id" | "role">,
  id: string,
  { actor }: { actor: Actor },
): Promise<void> {
  await db().transaction(async (trx) => {
    await lockUser(trx, userId);
    const removed = await one<{ name: string }>(
      trx,
      "delete from passkeys where id = :id and user_id = :userId returning name",
      { id: parseRecordId(id), userId },
    );
    if (!removed) throw notFound("Passkey not found");
    await recordAction(trx, actor, "user.passkey_removed", userId, { details: removed });
    await notifyUser(trx, userId, "passkey_removed", { actor, detail: removed.name });
    await endWithoutFactor(trx, { id: userId, role });
  });
}

/**
 * Removes all passkeys of the actor, as `removePasskey` does.
 * @returns how many there were
 * @throws DomainError forbidden: they are the only second factor, and the site requires one
 */
export async function removeAllPasskeys(
  trx: Knex,
  { id: userId, role }: Pick<User, "id" | "role">,
  actor: Actor,
): Promise<number> {
  await lockUser(trx, userId);
  const removed = await query<{ name: string }>(
    trx,
    "delete from passkeys where user_id = :userId returning name",
    { userId },
  );
  if (removed.length === 0) return 0;
  const details = { passkeys: { from: removed.map(({ name }) => name), to: [] } };
  await recordAction(trx, actor, "user.passkeys_removed", userId, { details });
  const detail = removed.map(({ name }) => name).join(", ");
  await notifyUser(trx, userId, "passkey_removed", { actor, detail });
  await endWithoutFactor(trx, { id: userId, role });
  return removed.length;
}

/** Ends recovery codes and trusted browsers of a user who has no second factor left. */
async function endWithoutFactor(
  trx: Knex,
  { id: userId, role }: Pick<User, "id" | "role">,
): Promise<void> {
  if (await hasSecondFactor(userId, trx)) return;
  requireOptionalSecondFactor(role);
  await endSecondFactor(trx, userId);
}
