import {
  createHmac,
  createSecretKey,
  hash as digest,
  randomBytes,
  randomUUID,
  type KeyObject,
} from "node:crypto";
import { crc32 } from "node:zlib";
import { db, one, query, readValue, type Database } from "../../db/connection.server";
import { appSecret } from "../../db/app-secret.server";
import { recordAction, type Actor, type Origin } from "../activity/audit-log.server";
import { notifyUser } from "./account-notices.server";
import type { KeyScope } from "./key-scopes";
import { rememberDevice } from "./known-devices.server";
import { SignInRejected } from "./sign-in.server";
import type { CheckedUser, User } from "./user";
import { hasSecondFactorSql, selectUserSql, stillCheckedSql, userColumnsSql } from "./users.server";

/** Prefixes of access tokens, refresh tokens, keys of people, keys of integrations and their test keys, links in mails. */
type Prefix = "vqa_" | "vqr_" | "vqk_" | "vqm_" | "vqt_" | "vql_";

const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** Makes a secret: a prefix that names its kind, 256 random bits, and a checksum against typing errors. */
export function newSecret(prefix: Prefix): string {
  return toSecret(prefix, randomBytes(32));
}

function toSecret(prefix: Prefix, bits: Buffer): string {
  const random = base62(BigInt(`0x${bits.toString("hex")}`), 43);
  return `${prefix}${random}${checksum(random)}`;
}

export function isWellFormedSecret(text: string): boolean {
  const match = /^vq[arkmtl]_([0-9A-Za-z]{43})([0-9A-Za-z]{6})$/.exec(text);
  return match !== null && checksum(match[1]!) === match[2];
}

/** Whether a secret is one of an integration's test keys, which redeem test codes alone. */
export const isTestSecret = (secret: string) => secret.startsWith("vqt_");

export function canBeIntegrationKey(secret: string): boolean {
  return (secret.startsWith("vqm_") || isTestSecret(secret)) && isWellFormedSecret(secret);
}

let hashKey: KeyObject | undefined;

/**
 * Returns what is stored of a secret: an HMAC under APP_SECRET, so that whoever writes to the database or
 * reads it can neither make nor recognise one. It is taken of the SHA-256, which older releases stored.
 */
export function hashSecret(secret: string): Buffer {
  return hmac(digest("sha256", secret, "buffer"));
}

function hmac(data: string | Buffer): Buffer {
  hashKey ??= createSecretKey(appSecret(), "utf8");
  return createHmac("sha256", hashKey).update(data).digest();
}

function checksum(text: string): string {
  return base62(BigInt(crc32(text)), 6);
}

function base62(value: bigint, length: number): string {
  let text = "";
  for (let left = value; text.length < length; left /= 62n)
    text = digits[Number(left % 62n)] + text;
  return text;
}

/**
 * Issues a pair for a user whose password was just checked: for 7 and 30 days.
 * @throws SignInRejected: the credentials were changed or the user disabled since
 */
export async function issueTokens(
  { id: userId, credentialsVersion }: Pick<CheckedUser, "id" | "credentialsVersion">,
  { actor }: { actor: Actor },
) {
  const token = newSecret("vqa_");
  const refreshToken = newSecret("vqr_");
  const access = await db().transaction(async (trx) => {
    const issued = await one<{ expiresAt: Date }>(
      trx,
      `with checked as (select id from users where ${stillCheckedSql} for share), refresh as (
       insert into tokens (user_id, family_id, hash, kind, expires_at, password_checked_at)
       select id, :familyId, :refreshHash, 'refresh', now() + interval '30 days', now() from checked
     )
     insert into tokens (user_id, family_id, hash, kind, expires_at, password_checked_at)
     select id, :familyId, :hash, 'access', now() + interval '7 days', now() from checked
     returning expires_at`,
      {
        userId,
        credentialsVersion,
        familyId: randomUUID(),
        hash: hashSecret(token),
        refreshHash: hashSecret(refreshToken),
      },
    );
    if (!issued) throw new SignInRejected(0);
    await recordAction(trx, actor, "user.signed_in", userId);
    await rememberDevice(trx, actor);
    return issued;
  });
  return { token, refreshToken, ...access };
}

/**
 * Locks the user of a token or link before the token itself. Whatever ends tokens locks the user first, too: it
 * waits for a pair that is being issued, and then sees it.
 */
export async function lockUserOf(database: Database, secret: string): Promise<void> {
  await query(
    database,
    `select from users where id = (select user_id from tokens where hash = :hash)
     for no key update`,
    { hash: hashSecret(secret) },
  );
}

/** Makes the secret that follows another: the same each time, and known to nobody without APP_SECRET. */
function successorOf(secret: string, prefix: Prefix): string {
  return toSecret(prefix, hmac(`successor ${prefix}${secret}`));
}

/**
 * Exchanges a refresh token for a new pair, and ends the access tokens before it in 10 s. The same token again within 10 s gets the same pair, because the
 * first answer may have been lost; later it shows that the token was stolen, and ends all that came from the
 * same sign-in, which its user is told of (RULES H16).
 * @returns null if the token has ended, was revoked, or its user is disabled
 */
export async function refreshTokens(refreshToken: string, origin: Origin) {
  if (!isWellFormedSecret(refreshToken) || !refreshToken.startsWith("vqr_")) return null;
  const [token, successor] = [successorOf(refreshToken, "vqa_"), successorOf(refreshToken, "vqr_")];
  return db().transaction(async (trx) => {
    await lockUserOf(trx, refreshToken);
    const found = await one<{
      userId: string;
      email: string;
      familyId: string;
      state: "new" | "spent" | "stolen";
    }>(
      trx,
      `select t.user_id, users.email, t.family_id, case when spent_at is null then 'new'
         when spent_at > now() - interval '10 seconds' then 'spent' else 'stolen' end as state
       from tokens t join users on users.id = t.user_id
       where t.hash = :hash and t.kind = 'refresh' and t.expires_at > now() and t.revoked_at is null
         and not users.is_disabled for update of t`,
      { hash: hashSecret(refreshToken) },
    );
    if (!found) return null;
    const { userId, email, familyId, state } = found;
    if (state === "stolen") {
      await query(
        trx,
        "update tokens set revoked_at = now() where family_id = :familyId and revoked_at is null",
        { familyId },
      );
      const actor = { ...origin, id: userId, email };
      await recordAction(trx, actor, "user.tokens_revoked", userId);
      const detail = "everything that came from its sign-in has ended";
      await notifyUser(trx, userId, "token_reused", { actor, detail });
      return null;
    }
    if (state === "new")
      await query(
        trx,
        `with spent as (
           update tokens set spent_at = now() where hash = :old returning password_checked_at
         ), ended as (
           update tokens set expires_at = least(expires_at, now() + interval '10 seconds')
           where family_id = :familyId and kind = 'access'
         )
         insert into tokens (user_id, family_id, hash, kind, expires_at, password_checked_at)
         select :userId, :familyId, new.hash, new.kind, now() + new.lifetime, password_checked_at
         from spent, (values (cast(:access as bytea), 'access', interval '7 days'),
           (cast(:refresh as bytea), 'refresh', interval '30 days')) new (hash, kind, lifetime)`,
        {
          userId,
          familyId,
          old: hashSecret(refreshToken),
          access: hashSecret(token),
          refresh: hashSecret(successor),
        },
      );
    const access = await one<{ expiresAt: Date }>(
      trx,
      "select expires_at from tokens where hash = :hash",
      { hash: hashSecret(token) },
    );
    return access && { token, refreshToken: successor, ...access };
  });
}

/** Ends the token and everything that was issued from the same sign-in. */
export async function revokeTokens(token: string, { actor }: { actor: Actor }): Promise<void> {
  await db().transaction(async (trx) => {
    await lockUserOf(trx, token);
    const revoked = await query(
      trx,
      `update tokens set revoked_at = now() where revoked_at is null
         and family_id in (select family_id from tokens where hash = :hash) returning kind`,
      { hash: hashSecret(token) },
    );
    if (revoked.length > 0) await recordAction(trx, actor, "user.signed_out", actor.id);
  });
}

const openTokensSql = `user_id = :userId and kind in ('access', 'refresh') and revoked_at is null
  and expires_at > now()`;

/** Counts the sign-ins of a user by the API that have not ended. */
export function countApiSignIns(userId: string): Promise<number> {
  const sql = `select count(distinct family_id)::integer from tokens where ${openTokensSql}`;
  return readValue(db(), sql, { userId });
}

/** Ends all sign-ins of a user, whom the caller has locked, by the API. @returns how many they were */
export async function endApiSignIns(trx: Database, userId: string): Promise<number> {
  const ended = await query<{ familyId: string }>(
    trx,
    `update tokens set revoked_at = now() where ${openTokensSql} returning family_id`,
    { userId },
  );
  return new Set(ended.map(({ familyId }) => familyId)).size;
}

/** The sender of a token or a key, and what it may do. */
export type Bearer = {
  /** The admin who made a key of an integration; null if that user is gone or disabled. */
  user: User | null;
  /** Null for an access token, which may do everything that its user may. */
  scopes: readonly KeyScope[] | null;
  /** Whether the user has two-step verification. */
  hasSecondFactor: boolean;
  /** Names a key of an integration: 'vqm_…3fK9'. */
  keyName: string | null;
  /** Whether a token comes from a sign-in with the password at most 10 minutes ago; never of a key. */
  isPasswordRecent: boolean;
};

/**
 * Finds the bearer of an access token or an API key. Secrets that can't be one cost no query. The time of a
 * key's last use is written at most once a minute.
 */
export async function findBearer(secret: string): Promise<Bearer | null> {
  if (!isWellFormedSecret(secret)) return null;
  const hash = hashSecret(secret);
  return /^vq[kmt]_/.test(secret) ? findKeyBearer(hash) : findTokenBearer(hash);
}

async function findTokenBearer(hash: Buffer): Promise<Bearer | null> {
  const found = await one<User & Pick<Bearer, "isPasswordRecent" | "hasSecondFactor">>(
    db(),
    `select ${hasSecondFactorSql("users.id")} as has_second_factor,
       tokens.password_checked_at > now() - interval '10 minutes' as is_password_recent, ${selectUserSql}
     from tokens join users on users.id = tokens.user_id
     where tokens.hash = :hash and tokens.kind = 'access' and tokens.expires_at > now()
       and tokens.revoked_at is null and not users.is_disabled`,
    { hash },
  );
  if (!found) return null;
  const { isPasswordRecent, hasSecondFactor, ...user } = found;
  return { user, hasSecondFactor, isPasswordRecent, scopes: null, keyName: null };
}

async function findKeyBearer(hash: Buffer): Promise<Bearer | null> {
  const found = await one<
    User & { scopes: KeyScope[]; keyEnd: string | null; hasSecondFactor: boolean }
  >(
    db(),
    `with found as (
       select k.id as key_id, k.last_used_at, k.scopes,
         case when k.integration_id is not null then k.last_four end as key_end, ${selectUserSql}
       from api_keys k
         left join users on users.id = coalesce(k.user_id, k.created_by) and not users.is_disabled
       where k.hash = :hash and k.expires_at > now() and k.revoked_at is null
         and (k.integration_id is not null or users.id is not null)
     ), touched as (
       update api_keys set last_used_at = now() from found
       where api_keys.id = found.key_id
         and (found.last_used_at is null or found.last_used_at < now() - interval '1 minute')
     )
     select scopes, key_end, ${hasSecondFactorSql("found.id")} as has_second_factor, ${userColumnsSql}
     from found`,
    { hash },
  );
  if (!found) return null;
  const { scopes, keyEnd, hasSecondFactor, ...user } = found;
  const keyName = keyEnd && `vqm_…${keyEnd}`;
  const bearer = { hasSecondFactor, isPasswordRecent: false, scopes, keyName };
  return { ...bearer, user: user.id === null ? null : user };
}
