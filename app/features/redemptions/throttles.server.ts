/** Caches throttles that the database has just decided, so that what a throttled key goes on asking costs little. */
import { hashSecret } from "../sign-in/tokens.server";
import { findAttempt } from "./find-attempt.server";
import { withTurn } from "./redemption-sql.server";

/** Bounds the age of an entry, because an admin may have raised the limit since. */
const cacheMs = 5_000;
const maxCached = 10_000;

/** Times of `performance.now()`, by key, or by key and machine. */
type Throttle = { endsAt: number; expiresAt: number };
const throttles = new Map<string, Throttle>();

const nameOf = (secret: string, serialNumber: string | null) =>
  `${hashSecret(secret).toString("base64")} ${serialNumber ?? ""}`;

/** @param serialNumber the machine at which the key is throttled; null: everywhere */
export function cacheThrottle(secret: string, serialNumber: string | null, seconds: number): void {
  const now = performance.now();
  const name = nameOf(secret, serialNumber);
  throttles.delete(name);
  throttles.set(name, {
    endsAt: now + seconds * 1_000,
    expiresAt: now + Math.min(seconds * 1_000, cacheMs),
  });
  // A map keeps the order of insertion: the first throttle is the oldest.
  if (throttles.size > maxCached) throttles.delete(throttles.keys().next().value!);
}

/** Returns how many seconds a key is throttled at a machine, or null if that isn't known. */
export function throttledSeconds(secret: string, serialNumber: string): number | null {
  if (throttles.size === 0) return null;
  const now = performance.now();
  for (const name of [nameOf(secret, null), nameOf(secret, serialNumber)]) {
    const throttle = throttles.get(name);
    if (!throttle) continue;
    if (throttle.expiresAt > now) return Math.max(1, Math.ceil((throttle.endsAt - now) / 1_000));
    throttles.delete(name);
  }
  return null;
}

/**
 * Whether the integration of a key has sent a redemption id before. Look-ups of a key take turns, so that they leave
 * connections to others.
 * @throws DomainError unavailable
 */
export async function wasAttempted(redemptionId: string, secret: string): Promise<boolean> {
  const found = await withTurn(`throttled ${secret}`, () => findAttempt(redemptionId, secret));
  return found !== null;
}
