/** Ends passkeys: one of them, or all of a user. */
import type { Knex } from "knex";
import { one, query } from "../../db/connection.server";
import { DomainError } from "../../errors";
import { parseRecordId } from "../../forms/record-id";
import { recordAction, type Actor } from "../activity/audit-log.server";
import { optionsOf, runOnce, type ActionOptions } from "../activity/idempotency.server";
import { notifyUser } from "../sign-in/account-notices.server";
import {
  endSecondFactor,
  hasSecondFactor,
  requireOptionalSecondFactor,
} from "./second-factor.server";
import type { User } from "../sign-in/user";
import { lockUser } from "../sign-in/users.server";

/**
 * Removes a passkey. With the last second factor its recovery codes and trusted browsers end too.
 * @param id as it came from a form
 * @throws DomainError not_found; forbidden: it is the last second factor, and the site requires one
 */
export async function removePasskey(
  { id: userId, role }: Pick<User, "id" | "role">,
  id: string,
  options: ActionOptions,
): Promise<void> {
  const { actor } = options;
  const passkeyId = parseRecordId(id);
  const input = { removedPasskey: passkeyId };
  await runOnce(optionsOf(String(passkeyId), options), input, async (trx) => {
    await lockUser(trx, userId);
    const removed = await one<{ name: string }>(
      trx,
      "delete from passkeys where id = :id and user_id = :userId returning name",
      { id: passkeyId, userId },
    );
    if (!removed) throw new DomainError("not_found", "This passkey was removed already.");
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
