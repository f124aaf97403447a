import {
  createHmac,
  createSecretKey,
  hash as digest,
  randomBytes,
  randomUUID,
  type KeyObject,
} from "node:crypto";
import { crc32 } from "node:zlib";
import { db, one } from "../../db/connection.server";
import { appSecret } from "../../env.server";
import type { User } from "./user";
import { selectUserSql, userColumnsSql } from "./users.server";

/** Of access tokens, refresh tokens, keys of people, keys of integrations, links in mails. */
type Prefix = "vqa_" | "vqr_" | "vqk_" | "vqm_" | "vql_";

const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** Makes a secret: a prefix that names its kind, 256 random bits, and a checksum against typing errors. */
export function newSecret(prefix: Prefix): string {
  const random = base62(BigInt(`0x${randomBytes(32).toString("hex")}`), 43);
  return `${prefix}${random}${checksum(random)}`;
}

export function isWellFormedSecret(text: string): boolean {
  const match = /^vq[arkml]_([0-9A-Za-z]{43})([0-9A-Za-z]{6})$/.exec(text);
  return match !== null && checksum(match[1]!) === match[2];
}

let hashKey: KeyObject | undefined;

/**
 * Returns what is stored of a secret: an HMAC under APP_SECRET, so that whoever writes to the database or
 * reads it can neither make nor recognise one. It is taken of the SHA-256, which older releases stored.
 */
export function hashSecret(secret: string): Buffer {
  hashKey ??= createSecretKey(appSecret(), "utf8");
  return createHmac("sha256", hashKey)
    .update(digest("sha256", secret, "buffer"))
    .digest();
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

/** Issues a pair for a user whose password was just checked: for 7 and 30 days. */
export async function issueTokens(user: User) {
  const token = newSecret("vqa_");
  const refreshToken = newSecret("vqr_");
  const access = await one<{ expiresAt: Date }>(
    db(),
    `with refresh as (
       insert into tokens (user_id, family_id, hash, kind, expires_at)
       values (:userId, :familyId, :refreshHash, 'refresh', now() + interval '30 days')
     )
     insert into tokens (user_id, family_id, hash, kind, expires_at)
     values (:userId, :familyId, :hash, 'access', now() + interval '7 days') returning expires_at`,
    {
      userId: user.id,
      familyId: randomUUID(),
      hash: hashSecret(token),
      refreshHash: hashSecret(refreshToken),
    },
  );
  return { token, refreshToken, ...access! };
}

/** Ends the token and everything that was issued from the same sign-in. */
export async function revokeTokens(token: string): Promise<void> {
  await db().raw(
    `update tokens set revoked_at = now() where revoked_at is null
       and family_id in (select family_id from tokens where hash = :hash)`,
    { hash: hashSecret(token) },
  );
}

/**
 * Returns the user of an access token or an API key, or null. Secrets that can't be a user's cost
 * no query. The time of a key's last use is written at most once a minute.
 */
export async function findUserByBearer(secret: string): Promise<User | null> {
  if (!isWellFormedSecret(secret) || secret.startsWith("vqm_")) return null;
  const hash = hashSecret(secret);
  if (!secret.startsWith("vqk_"))
    return one(
      db(),
      `select ${selectUserSql} from tokens join users on users.id = tokens.user_id
       where tokens.hash = :hash and tokens.kind = 'access' and tokens.expires_at > now()
         and tokens.revoked_at is null and not users.is_disabled`,
      { hash },
    );
  return one(
    db(),
    `with found as (
       select api_keys.id as key_id, api_keys.last_used_at, ${selectUserSql}
       from api_keys join users on users.id = api_keys.user_id
       where api_keys.hash = :hash and api_keys.expires_at > now()
         and api_keys.revoked_at is null and not users.is_disabled
     ), touched as (
       update api_keys set last_used_at = now() from found
       where api_keys.id = found.key_id
         and (found.last_used_at is null or found.last_used_at < now() - interval '1 minute')
     )
     select ${userColumnsSql} from found`,
    { hash },
  );
}
