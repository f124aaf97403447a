import { createHash, randomBytes, randomUUID } from "node:crypto";
import { crc32 } from "node:zlib";
import { db } from "../../db/connection.server";
import type { User } from "./user";
import { userColumns, userFromRow, type UserRow } from "./users.server";

type Prefix = "vqa_" | "vqr_" | "vqk_" | "vqm_";

/** What an API client gets at sign-in (rulings 2.3). */
export type IssuedTokens = { token: string; refreshToken: string; expiresAt: Date };

const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** A prefix that names its kind, 256 random bits, and a checksum that shows a typing error. */
export function newSecret(prefix: Prefix): string {
  const random = base62(BigInt(`0x${randomBytes(32).toString("hex")}`), 43);
  return `${prefix}${random}${checksum(random)}`;
}

export function isWellFormedSecret(text: string): boolean {
  const match = /^vq[arkm]_([0-9A-Za-z]{43})([0-9A-Za-z]{6})$/.exec(text);
  return match !== null && checksum(match[1]!) === match[2];
}

/** What is stored of a secret. */
export function hashSecret(secret: string): Buffer {
  return createHash("sha256").update(secret).digest();
}

function checksum(text: string): string {
  return base62(BigInt(crc32(text)), 6);
}

function base62(value: bigint, length: number): string {
  let text = "";
  for (let rest = value; text.length < length; rest /= 62n)
    text = digits[Number(rest % 62n)] + text;
  return text;
}

/** A new pair for a user whose password was just checked: 7 and 30 days. */
export async function issueTokens(user: User): Promise<IssuedTokens> {
  const token = newSecret("vqa_");
  const refreshToken = newSecret("vqr_");
  const family = { user_id: user.id, family_id: randomUUID() };
  const rows = await db()("tokens")
    .insert([
      {
        ...family,
        hash: hashSecret(token),
        kind: "access",
        expires_at: db().raw("now() + interval '7 days'"),
      },
      {
        ...family,
        hash: hashSecret(refreshToken),
        kind: "refresh",
        expires_at: db().raw("now() + interval '30 days'"),
      },
    ])
    .returning<{ kind: string; expires_at: Date }[]>(["kind", "expires_at"]);
  const access = rows.find((row) => row.kind === "access");
  return { token, refreshToken, expiresAt: access!.expires_at };
}

/** Ends the token and everything that was issued from the same sign-in. */
export async function revokeTokens(token: string): Promise<void> {
  await db()("tokens")
    .whereIn(
      "family_id",
      db()("tokens")
        .select("family_id")
        .where({ hash: hashSecret(token) }),
    )
    .whereNull("revoked_at")
    .update({ revoked_at: db().fn.now() });
}

/** Whose access token or API key it is; one query, and none for what can't be a person's. */
export async function findUserByBearer(secret: string): Promise<User | null> {
  if (!isWellFormedSecret(secret) || secret.startsWith("vqm_")) return null;
  const hash = hashSecret(secret);
  if (secret.startsWith("vqk_")) return findUserByApiKey(hash);
  const row = await db()("tokens")
    .join("users", "users.id", "tokens.user_id")
    .where({ "tokens.hash": hash, "tokens.kind": "access", "users.is_disabled": false })
    .whereRaw("tokens.expires_at > now() and tokens.revoked_at is null")
    .first<UserRow>([...userColumns]);
  return row ? userFromRow(row) : null;
}

async function findUserByApiKey(hash: Buffer): Promise<User | null> {
  const { rows } = await db().raw<{ rows: UserRow[] }>(
    `with found as (
       select api_keys.id as key_id, api_keys.last_used_at, ${userColumns.join(", ")}
       from api_keys join users on users.id = api_keys.user_id
       where api_keys.hash = :hash and api_keys.expires_at > now()
         and api_keys.revoked_at is null and not users.is_disabled
     ), touched as (
       update api_keys set last_used_at = now() from found
       where api_keys.id = found.key_id
         and (found.last_used_at is null or found.last_used_at < now() - interval '1 minute')
     )
     select * from found`,
    { hash },
  );
  return rows[0] ? userFromRow(rows[0]) : null;
}
