/** Limits on attempts of clients, who are told apart by their networks (RULES A4). */
import { createHash } from "node:crypto";
import { isIPv6 } from "node:net";
import { db } from "../../db/connection.server";
import { countAttempt, type Limit } from "../../db/rate-limits.server";
import { LimitError } from "../../errors";
import { countOf } from "../../format/number";

export function tooManyMessage(what: string, retryAfterSeconds: number): string {
  const wait = countOf(Math.ceil(retryAfterSeconds / 60), "minute");
  return `Too many ${what}. Please try again in ${wait}.`;
}

/**
 * Counts an attempt.
 * @param of.name names the limit to API clients
 * @throws LimitError: the limit is exceeded
 */
export async function countOrReject(
  limit: Limit,
  { name, what }: { name: string; what: string },
): Promise<void> {
  const [counted] = await countAttempt(db(), [limit]);
  if (!counted!.isExceeded) return;
  const seconds = Math.ceil(counted!.msLeft / 1_000);
  const policy = { name, quota: limit.attempts, windowSeconds: limit.windowMs / 1_000 };
  throw new LimitError(tooManyMessage(what, seconds), policy, seconds);
}

/** Returns what stands for a mail address in the key of a limit: a key has 255 characters at most, an address 254. */
export function hashOfAddress(email: string): string {
  return createHash("sha256").update(email).digest("base64url");
}

/**
 * Returns an IPv4 address, or the /64 and the /48 of an IPv6 address, which customers of a provider have. A server that
 * listens to both gets IPv4 addresses as IPv6 ones.
 */
export function networksOf(address: string): [network: string, site?: string] {
  if (!isIPv6(address)) return [address];
  if (/^::ffff:\d+\./i.test(address)) return [address.slice("::ffff:".length)];
  const [head = "", tail] = address.split("%", 1)[0]!.split("::");
  const front = head.split(":").filter(Boolean);
  const back = (tail ?? "").split(":").filter(Boolean);
  const gap = tail === undefined ? [] : Array<string>(8 - front.length - back.length).fill("0");
  const groups = [...front, ...gap, ...back];
  return [groups.slice(0, 4).join(":"), `${groups.slice(0, 3).join(":")}::/48`];
}
