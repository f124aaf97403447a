/** The second factor: one-time codes by RFC 6238 and what all factors have in common (RULES H15). */
import type { Knex } from "knex";
import { Secret, TOTP } from "otpauth";
import { db, one, query, readValue, type Database } from "../../db/connection.server";
import { decrypt, encrypt } from "../../db/encryption.server";
import { giveAttemptBack } from "../../db/rate-limits.server";
import { environment } from "../../env.server";
import { settings } from "../settings/settings.server";
import { conflict, type DomainError, forbidden, invalidFields } from "../../errors";
import { recordAction, type Actor } from "../activity/audit-log.server";
import { optionsOf, runOnce, type ActionOptions } from "../activity/idempotency.server";
import { notifyUser } from "../sign-in/account-notices.server";
import { countOrReject } from "../sign-in/attempt-limits.server";
import type { Role, User } from "../sign-in/user";
import { hasSecondFactorSql, lockActor } from "../sign-in/users.server";
import { deliverRecoveryCodes, spendRecoveryCode } from "./recovery-codes.server";

const purpose = "second-factor";
const stepSeconds = 30;

/** Whether the site asks users of this role for a second factor. */
export function isSecondFactorRequired(role: Role): boolean {
  const { require2fa } = environment();
  return require2fa === "all" || (require2fa === "admin" && role === "admin");
}

/** @throws DomainError forbidden: users of this role can't turn it off */
export function requireOptionalSecondFactor(role: Role): void {
  if (isSecondFactorRequired(role)) throw forbidden("Your site requires two-step verification.");
}

export function hasSecondFactor(userId: string, database: Database = db()): Promise<boolean> {
  return readValue(database, `select ${hasSecondFactorSql(":userId")}`, { userId });
}

/** Whether the user has an authenticator app; a passkey is a second factor too. */
export function hasAuthenticatorApp(userId: string, database: Database = db()): Promise<boolean> {
  return readValue(
    database,
    `select exists (select from second_factors where user_id = :userId and confirmed_at is not null)`,
    { userId },
  );
}

function totpOf(secret: string, email: string): TOTP {
  return new TOTP({
    issuer: settings().siteName,
    label: email,
    secret: Secret.fromBase32(secret),
    digits: 6,
    period: stepSeconds,
  });
}

/**
 * Returns the secret that is being set up, and the URI of its QR code. Until it is confirmed the same secret
 * is offered, so that the page can be loaded again.
 * @throws DomainError conflict: there is a second factor already
 */
export async function setUpSecondFactor(
  user: Pick<User, "id" | "email">,
): Promise<{ secret: string; uri: string }> {
  const fresh = new Secret({ size: 20 }).base32;
  const row = await one<{ secret: Buffer; isConfirmed: boolean }>(
    db(),
    `insert into second_factors as f (user_id, secret) values (:userId, :secret)
     on conflict (user_id) do update set secret = f.secret
     returning secret, confirmed_at is not null as is_confirmed`,
    { userId: user.id, secret: encrypt(fresh, purpose, user.id) },
  );
  if (row!.isConfirmed) throw isOnAlready();
  const secret = decrypt(row!.secret, purpose, user.id);
  // APP_SECRET has changed since: what it encrypted is lost.
  if (secret === null) {
    await query(db(), "delete from second_factors where user_id = :userId", { userId: user.id });
    return setUpSecondFactor(user);
  }
  return { secret, uri: totpOf(secret, user.email).toString() };
}

/**
 * Turns the second factor on, once a code proves that the user's app has the secret. A repeated request, whose first
 * answer was lost, gets new recovery codes.
 * @returns ten recovery codes, to be shown once
 * @throws DomainError invalid: `fields.code`; too_many; conflict: there is an app already, or the codes were replaced since
 */
export async function confirmSecondFactor(
  user: User,
  code: string,
  { actor, idempotencyKey: key = null }: ActionOptions,
): Promise<string[]> {
  const request = { userId: user.id, key, input: { confirmed: "second factor" } };
  return limited(user.id, () =>
    db().transaction(async (trx) => {
      await lockActor(trx, actor);
      const codes = await deliverRecoveryCodes(trx, user.id, request, async () => {
        if (await hasAuthenticatorApp(user.id, trx)) throw isOnAlready();
        if (!(await acceptTotp(trx, user, code, { isConfirmed: false }))) throw wrongCode();
        await query(trx, "update second_factors set confirmed_at = now() where user_id = :userId", {
          userId: user.id,
        });
        await recordAction(trx, actor, "user.second_factor_added", user.id);
        await notifyUser(trx, user.id, "second_factor_added", { actor });
        return true;
      });
      return codes!;
    }),
  );
}

/**
 * Replaces the recovery codes of a user. A repeated request, whose first answer was lost, gets other new codes.
 * @returns ten recovery codes, to be shown once; earlier ones end
 * @throws DomainError conflict: there is no second factor, or the codes were replaced since
 */
export async function renewRecoveryCodes(
  userId: string,
  options: ActionOptions,
): Promise<string[]> {
  const { actor, idempotencyKey: key } = optionsOf("renew", options);
  return db().transaction(async (trx) => {
    await lockActor(trx, actor);
    if (!(await hasSecondFactor(userId, trx))) throw conflict("Two-step verification is off.");
    const request = { userId: actor.id, key, input: { renewed: userId } };
    const codes = await deliverRecoveryCodes(trx, userId, request, async () => {
      await recordAction(trx, actor, "user.recovery_codes_renewed", userId);
      await notifyUser(trx, userId, "recovery_codes_renewed", { actor });
      return true;
    });
    return codes!;
  });
}

/** Turns the second factor of a user off: app, passkeys, recovery codes and trusted browsers. */
export async function removeSecondFactor(userId: string, options: ActionOptions): Promise<void> {
  const { actor } = options;
  await runOnce(optionsOf("remove", options), { removed: userId }, async (trx) => {
    const wasOn = await hasSecondFactor(userId, trx);
    await endSecondFactor(trx, userId);
    if (!wasOn) return;
    await recordAction(trx, actor, "user.second_factor_removed", userId);
    await notifyUser(trx, userId, "second_factor_removed", { actor });
  });
}

/** Deletes whatever a user could present as a second factor. */
export async function endSecondFactor(trx: Knex, userId: string): Promise<void> {
  await query(
    trx,
    `with codes as (delete from recovery_codes where user_id = :userId),
       browsers as (delete from trusted_browsers where user_id = :userId),
       keys as (delete from passkeys where user_id = :userId)
     delete from second_factors where user_id = :userId`,
    { userId },
  );
}

/**
 * Checks the code of somebody who signs in: six digits of the app, or a recovery code.
 * @throws DomainError invalid: `fields.code`, of which an empty one is no attempt; too_many: more than five wrong ones
 *   in 15 minutes
 */
export async function checkSecondFactor(user: User, code: string, actor: Actor): Promise<void> {
  const text = code.replace(/[\s-]/g, "");
  if (text === "") throw invalidFields({ code: "Enter your code" });
  await limited(user.id, () =>
    db().transaction(async (trx) => {
      if (/^\d{6}$/.test(text)) {
        if (await acceptTotp(trx, user, text, { isConfirmed: true })) return;
      } else if (await spendRecoveryCode(trx, user.id, text)) {
        await recordAction(trx, actor, "user.recovery_code_used", user.id);
        return;
      }
      throw wrongCode();
    }),
  );
}

/** Accepts the code of now, of the step before or after it, and none twice. */
async function acceptTotp(
  trx: Knex.Transaction,
  user: Pick<User, "id" | "email">,
  code: string,
  { isConfirmed }: { isConfirmed: boolean },
): Promise<boolean> {
  const row = await one<{ secret: Buffer; lastStep: string; now: Date }>(
    trx,
    `select secret, last_step, now() as now from second_factors
     where user_id = :userId and (confirmed_at is not null) = :isConfirmed for update`,
    { userId: user.id, isConfirmed },
  );
  const secret = row && decrypt(row.secret, purpose, user.id);
  if (!secret) return false;
  const timestamp = row.now.getTime();
  const delta = totpOf(secret, user.email).validate({ token: code, timestamp, window: 1 });
  if (delta === null) return false;
  const step = Math.floor(timestamp / 1_000 / stepSeconds) + delta;
  if (step <= Number(row.lastStep)) return false;
  await query(trx, "update second_factors set last_step = :step where user_id = :userId", {
    step,
    userId: user.id,
  });
  return true;
}

/** Counts an attempt before it is checked, and gives it back when it succeeds. */
async function limited<Result>(userId: string, check: () => Promise<Result>): Promise<Result> {
  const limit = { key: `second-factor/${userId}`, attempts: 5, windowMs: 15 * 60_000 };
  await countOrReject(limit, { name: "second-factor", what: "attempts" });
  const result = await check();
  await giveAttemptBack(db(), [limit]);
  return result;
}

const isOnAlready = () => conflict("Two-step verification is on already.");

function wrongCode(): DomainError {
  return invalidFields({ code: "This code is wrong, or it was used already" });
}
