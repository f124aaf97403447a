/** Recovery codes: ten of a user, each of which stands once for the second factor (RULES H15). */
import { randomInt } from "node:crypto";
import type { Knex } from "knex";
import { db, one, query, readValue } from "../../db/connection.server";
import { conflict } from "../../errors";
import {
  storeResult,
  withIdempotency,
  type IdempotentRequest,
} from "../activity/idempotency.server";
import { wasDoneToUserSince } from "../activity/past-actions.server";
import { hashSecret } from "../sign-in/tokens.server";
import { lockUser } from "../sign-in/users.server";

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

/**
 * Makes recovery codes with what they come with, once for each key. A repetition, whose first answer was lost, replaces
 * the codes that were not delivered, and none that came after them.
 * @param prepare returns whether codes are made
 * @returns ten recovery codes, to be shown once, or null if none are made
 * @throws DomainError conflict: the codes were replaced or ended since
 */
export async function deliverRecoveryCodes(
  trx: Knex,
  userId: string,
  request: IdempotentRequest,
  prepare: () => Promise<boolean>,
): Promise<string[] | null> {
  await lockUser(trx, userId);
  let codes: string[] | null = null;
  const replace = async () => {
    codes = await replaceRecoveryCodes(trx, userId);
    return hashRecoveryCode(userId, codes[0]!.replace("-", "")).toString("hex");
  };
  const { result, wasReplayed } = await withIdempotency(trx, request, async () => ({
    firstCode: (await prepare()) ? await replace() : null,
  }));
  if (wasReplayed && result.firstCode !== null) {
    // Release 1.0.0 stored no hash of a code.
    const sql = `select from recovery_codes where hash = decode(:firstCode, 'hex')`;
    if (!(await one(trx, sql, { firstCode: result.firstCode ?? null })))
      throw conflict("These recovery codes were replaced since. Create new ones to see some.");
    await storeResult(trx, request, { firstCode: await replace() });
  }
  return codes;
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
