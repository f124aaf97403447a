/** The key of an integration inside the statements that it may run. */
import { hashSecret, isWellFormedSecret } from "../users/tokens.server";

/** Why a key may not do what it asks for. */
export type KeyRefusal =
  /** Unknown, revoked, expired. */
  | { outcome: "bad_key" }
  /** Bound to another machine, or not for redeeming. */
  | { outcome: "wrong_key"; sentence: string };

/** Joins the key `k`; no row when it can't be used. */
export const joinKeySql = `left join api_keys k on k.hash = :hash and k.integration_id is not null
    and k.revoked_at is null and k.expires_at > now()`;

export const keyColumnsSql = `k.id as key_id, k.integration_id,
    k.last_used_at is null or k.last_used_at < now() - interval '1 minute' as is_key_stale`;

/**
 * CTE that stores the key's last use, at most once a minute. It skips a locked row, because the
 * statement that holds it stores the same.
 */
export const touchKeySql = `key_noted as (
    update api_keys k set last_used_at = now() where k.id = (
      select s.id from api_keys s
      where s.id = (select key_id from facts where is_key_stale)
      for no key update skip locked))`;

/** Returns the hash by which a key is found, or null for text that can't be a key of an integration. */
export function hashOfKey(secret: string): Buffer | null {
  return secret.startsWith("vqm_") && isWellFormedSecret(secret) ? hashSecret(secret) : null;
}

export function keyRefusal(verdict: string): KeyRefusal | null {
  if (verdict === "bad_key") return { outcome: "bad_key" };
  if (verdict === "no_scope")
    return { outcome: "wrong_key", sentence: "This key may not redeem codes." };
  if (verdict === "other_machine")
    return { outcome: "wrong_key", sentence: "This key belongs to another machine." };
  return null;
}
