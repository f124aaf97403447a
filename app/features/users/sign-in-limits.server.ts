import { createHash } from "node:crypto";
import { isIPv6 } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { RateLimiterPostgres } from "rate-limiter-flexible";
import { db } from "../../db/connection.server";

const minute = 60;
const accountDelayMs = 1_000;

function limiter(keyPrefix: string, points: number, seconds: number) {
  return new RateLimiterPostgres({
    storeClient: db(),
    storeType: "knex",
    tableName: "rate_limits",
    tableCreated: true,
    clearExpiredByTimeout: false,
    keyPrefix,
    points,
    duration: seconds,
  });
}

/**
 * Counts failed sign-ins in the database, for all instances: at most 5 in 15 minutes for an account
 * from one address, and 50 in 15 minutes for an address. After 20 failures in an hour from any
 * addresses, an account answers slowly but never locks its owner out.
 */
export function signInLimits(email: string, clientAddress: string) {
  const account = createHash("sha256").update(email).digest("base64url");
  const network = networkOf(clientAddress);
  const pair = limiter("sign-in-pair", 5, 15 * minute);
  const address = limiter("sign-in-address", 50, 15 * minute);
  const slow = limiter("sign-in-account", 20, 60 * minute);
  const pairKey = `${account}:${network}`;

  return {
    async slowDown(): Promise<void> {
      const state = await slow.get(account);
      if ((state?.consumedPoints ?? 0) >= slow.points) await delay(accountDelayMs);
    },
    /** Returns the seconds until the next attempt is allowed; 0 is now. */
    async secondsToWait(): Promise<number> {
      const [ofPair, ofAddress] = await Promise.all([pair.get(pairKey), address.get(network)]);
      const waits = [
        (ofPair?.consumedPoints ?? 0) >= pair.points ? ofPair!.msBeforeNext : 0,
        (ofAddress?.consumedPoints ?? 0) >= address.points ? ofAddress!.msBeforeNext : 0,
      ];
      return Math.ceil(Math.max(...waits) / 1_000);
    },
    async countFailure(): Promise<void> {
      await Promise.all([
        pair.penalty(pairKey, 1),
        address.penalty(network, 1),
        slow.penalty(account, 1),
      ]);
    },
    /** Forgets the failures after a successful sign-in; those of other accounts keep counting. */
    async clear(): Promise<void> {
      await Promise.all([pair.delete(pairKey), address.delete(network), slow.delete(account)]);
    },
  };
}

/** Shortens an IPv6 address to its /64, which one customer of a provider has as a whole. */
function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  const [head = "", tail] = address.split("%", 1)[0]!.split("::");
  const front = head.split(":").filter(Boolean);
  const back = (tail ?? "").split(":").filter(Boolean);
  const gap = tail === undefined ? [] : Array<string>(8 - front.length - back.length).fill("0");
  return [...front, ...gap, ...back].slice(0, 4).join(":");
}
