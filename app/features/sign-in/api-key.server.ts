/**
 * The API key of a user: one at a time, `vqk_…`. The database holds its HMAC, which finds it, and its
 * ciphertext, which its owner can reveal (RULES H11).
 */
import type { Knex } from "knex";
import { decrypt, encrypt } from "../../db/encryption.server";
import { db, one, query } from "../../db/connection.server";
import { conflict, type DomainError, forbidden, notFound } from "../../errors";
import { recordAction, type Actor } from "../activity/audit-log.server";
import { type ActionOptions, runOnce } from "../activity/idempotency.server";
import { notifyUser } from "./account-notices.server";
import type { KeyScope } from "./key-scopes";
import { hashSecret, newSecret } from "./tokens.server";
import { canEdit } from "./user";
import { lockActor, lockUser } from "./users.server";

export type ApiKey = {
  lastFour: string;
  createdAt: Date;
  expiresAt: Date;
  lastUsedAt: Date | null;
  isExpired: boolean;
  scopes: KeyScope[];
};

const purpose = "api-key";

/** Returns the key of a user, which may have expired, or null if there is none. */
export async function findApiKey(userId: string): Promise<ApiKey | null> {
  return one<ApiKey>(
    db(),
    `select last_four, created_at, expires_at, last_used_at, expires_at <= now() as is_expired, scopes
     from api_keys where user_id = :userId and revoked_at is null`,
    { userId },
  );
}

/**
 * Makes a key for the actor and revokes the one before at once. It is not returned: its owner reveals it.
 * @param input.days 1 to 365, from now by the database's clock
 * @throws DomainError conflict: the idempotency key was used for something else; forbidden: the actor is a viewer or
 *   disabled by now
 */
export async function regenerateApiKey(
  { scopes, days }: { scopes: readonly KeyScope[]; days: number },
  options: ActionOptions,
): Promise<void> {
  const { actor } = options;
  await runOnce(options, { made: "api key", scopes, days }, async (trx) => {
    const user = await lockActor(trx, actor);
    if (user && !canEdit(user)) throw notAllowed();
    const revoked = await endCurrentKey(trx, actor.id);
    const secret = newSecret("vqk_");
    const lastFour = secret.slice(-4);
    await query(
      trx,
      `insert into api_keys (hash, last_four, ciphertext, user_id, scopes, expires_at)
       values (:hash, :lastFour, :ciphertext, :userId, :scopes, now() + make_interval(days => :days))`,
      {
        hash: hashSecret(secret),
        lastFour,
        ciphertext: encrypt(secret, purpose, actor.id),
        userId: actor.id,
        scopes,
        days,
      },
    );
    const change = revoked ? "api_key_regenerated" : "api_key_created";
    await notifyUser(trx, actor.id, change, { actor });
    await recordAction(trx, actor, `user.${change}`, actor.id, {
      details: {
        last_four: { from: revoked?.lastFour ?? null, to: lastFour },
        scopes: { from: revoked?.scopes ?? null, to: scopes },
      },
    });
  });
}

/**
 * Revokes a user's own key; those of integrations go on.
 * @param options.detail says why, in the mail to the user
 * @returns whether there was one
 * @throws DomainError forbidden: the user is disabled
 */
export async function revokeApiKey(
  trx: Knex,
  userId: string,
  options: { actor: Actor; detail?: string },
): Promise<boolean> {
  const revoked = await endCurrentKey(trx, userId);
  if (!revoked) return false;
  const details = { last_four: { from: revoked.lastFour, to: null } };
  await recordAction(trx, options.actor, "user.api_key_revoked", userId, { details });
  await notifyUser(trx, userId, "api_key_revoked", options);
  return true;
}

/**
 * Returns the actor's key in the clear, and records that it was shown.
 * @throws DomainError not_found: there is none; conflict: it was encrypted under another APP_SECRET
 */
export async function revealApiKey({ actor }: { actor: Actor }): Promise<string> {
  return db().transaction(async (trx) => {
    const key = await one<{ ciphertext: Buffer; lastFour: string }>(
      trx,
      `select ciphertext, last_four from api_keys
       where user_id = :userId and revoked_at is null and ciphertext is not null`,
      { userId: actor.id },
    );
    if (!key) throw notFound("You have no API key.");
    const secret = decrypt(key.ciphertext, purpose, actor.id);
    if (secret === null) throw conflict("This key can't be shown any more. Regenerate it.");
    await recordAction(trx, actor, "user.api_key_revealed", actor.id, {
      details: { last_four: key.lastFour },
    });
    return secret;
  });
}

/** @throws DomainError forbidden: the user was disabled after the request had begun */
async function endCurrentKey(trx: Knex, userId: string) {
  const user = await lockUser(trx, userId);
  if (!user || user.isDisabled) throw notAllowed();
  return one<Pick<ApiKey, "lastFour" | "scopes">>(
    trx,
    `update api_keys set revoked_at = now() where user_id = :userId and revoked_at is null
     returning last_four, scopes`,
    { userId },
  );
}

function notAllowed(): DomainError {
  return forbidden("You are not allowed to do this.");
}
