import { createHash } from "node:crypto";
import { isIPv6 } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { RateLimiterPostgres } from "rate-limiter-flexible";
import { db } from "../../db/connection.server";

const MINUTE = 60;
const ACCOUNT_DELAY_MS = 1_000;

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
 * Counts failed sign-ins in the database, for all instances (security T1): 5 in 15 minutes for an
 * account from one address, 50 in 15 minutes for an address. An account that is tried from many
 * addresses, 20 times in an hour, answers slowly but never locks its owner out.
 */
export function signInLimits(email: string, clientAddress: string) {
  const account = createHash("sha256").update(email).digest("base64url");
  const network = networkOf(clientAddress);
  const pair = limiter("sign-in-pair", 5, 15 * MINUTE);
  const address = limiter("sign-in-address", 50, 15 * MINUTE);
  const slow = limiter("sign-in-account", 20, 60 * MINUTE);
  const pairKey = `${account}:${network}`;

  return {
    async slowDown(): Promise<void> {
      const found = await slow.get(account);
      if ((found?.consumedPoints ?? 0) >= slow.points) await delay(ACCOUNT_DELAY_MS);
    },
    /** @returns after how many seconds another try may be made; 0 is now */
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
    /** rulings 2.2. Who knows one password and guesses others is still held by their own counts. */
    async clear(): Promise<void> {
      await Promise.all([pair.delete(pairKey), address.delete(network), slow.delete(account)]);
    },
  };
}

/** One customer of a provider has a whole /64 of IPv6. */
function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  const [head = "", tail] = address.split("%", 1)[0]!.split("::");
  const front = head.split(":").filter(Boolean);
  const back = (tail ?? "").split(":").filter(Boolean);
  const gap = tail === undefined ? [] : Array<string>(8 - front.length - back.length).fill("0");
  return [...front, ...gap, ...back].slice(0, 4).join(":");
}
