/** Recovery codes: ten of a user, each of which stands once for the second factor (RULES H15). */
import { randomInt } from "node:crypto";
import type { Knex } from "knex";
import { db, one, query, readValue } from "../../db/connection.server";
import { wasDoneToUserSince } from "../activity/past-actions.server";
import { hashSecret } from "../sign-in/tokens.server";

export function countRecoveryCodes(userId: string): Promise<number> {
  const sql =
    "select count(*)::integer from recovery_codes where user_id = :userId and used_at is null";
  return readValue(db(), sql, { userId });
}

const recoveryAlphabet = "23456789ABCDEFGHJKMNPQRSTUVWXYZ";
const recoveryCodes = 10;

/** Makes ten recovery codes; earlier ones end. */
export async function replaceRecoveryCodes(trx: Knex, userId: string): Promise<string[]> {
  const character = () => recoveryAlphabet[randomInt(recoveryAlphabet.length)];
  const codes = Array.from({ length: recoveryCodes }, () =>
    Array.from({ length: 10 }, character).join(""),
  );
  await query(
    trx,
    `with earlier as (delete from recovery_codes where user_id = :userId)
     insert into recovery_codes (hash, user_id) select hash, :userId from unnest(:hashes::bytea[]) as hash`,
    { userId, hashes: codes.map((code) => hashRecoveryCode(userId, code)) },
  );
  return codes.map((code) => `${code.slice(0, 5)}-${code.slice(5)}`);
}

const codeMakingActions: `user.${string}`[] = [
  "user.recovery_codes_renewed",
  "user.second_factor_added",
  "user.passkey_added",
];

/** Deletes the recovery codes of a user if they may have been made after a time. */
export async function endRecoveryCodesSince(trx: Knex, userId: string, since: Date): Promise<void> {
  if (await wasDoneToUserSince(trx, userId, codeMakingActions, since))
    await query(trx, "delete from recovery_codes where user_id = :userId", { userId });
}

const hashRecoveryCode = (userId: string, code: string) =>
  hashSecret(`recovery ${userId} ${code.toUpperCase()}`);

export async function spendRecoveryCode(trx: Knex.Transaction, userId: string, code: string) {
  const spent = await one(
    trx,
    `update recovery_codes set used_at = now()
     where hash = :hash and user_id = :userId and used_at is null returning user_id`,
    { hash: hashRecoveryCode(userId, code), userId },
  );
  return spent !== null;
}
