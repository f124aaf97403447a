import { createHash } from "node:crypto";
import { isIPv6 } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { RateLimiterPostgres } from "rate-limiter-flexible";
import { db, one } from "../../db/connection.server";
import { countOf } from "../../format/number";
import type { User } from "./user";
import { isPasswordRight, selectUserSql, withHashingSlot } from "./users.server";

/** Says the same whatever was wrong, so that it tells nothing about accounts. */
export const refusedMessage = "Something is wrong with your login or password :(";

export class SignInRefused extends Error {
  override name = "SignInRefused";

  /** @param retryAfterSeconds 0: the email or password was wrong; else there were too many attempts */
  constructor(readonly retryAfterSeconds: number) {
    const wait = countOf(Math.ceil(retryAfterSeconds / 60), "minute");
    super(
      retryAfterSeconds === 0 ? refusedMessage : `Too many attempts. Please try again in ${wait}.`,
    );
  }
}

/**
 * Checks an email and password with the same work and the same answer for an unknown, disabled or
 * unverified account and a wrong password.
 * @throws SignInRefused; DomainError unavailable: too many are signing in
 */
export async function signIn(input: {
  email: string;
  password: string;
  clientAddress: string;
}): Promise<User> {
  const email = input.email.trim().toLowerCase();
  const limits = signInLimits(email, input.clientAddress);
  await limits.slowDown();
  // Inside the slot, so that concurrent attempts can't all pass before the first one is counted.
  return withHashingSlot(async () => {
    const seconds = await limits.secondsToWait();
    if (seconds > 0) throw new SignInRefused(seconds);

    const account = await findAccount(email);
    const isRight = await isPasswordRight(input.password, account?.passwordHash ?? null);
    if (!account || !isRight || account.isDisabled || account.emailVerifiedAt === null) {
      await limits.countFailure();
      throw new SignInRefused(0);
    }
    await limits.clear();
    return account.user;
  });
}

async function findAccount(email: string) {
  const row = await one<
    User & { passwordHash: string | null; isDisabled: boolean; emailVerifiedAt: Date | null }
  >(
    db(),
    `select ${selectUserSql}, password_hash, is_disabled, email_verified_at
     from users where email = :email`,
    // PostgreSQL rejects NUL in a text, and no address contains it.
    { email: email.replaceAll("\0", " ") },
  );
  if (!row) return null;
  const { passwordHash, isDisabled, emailVerifiedAt, ...user } = row;
  return { user, passwordHash, isDisabled, emailVerifiedAt };
}

const minute = 60;

function createLimiter(keyPrefix: string, points: number, seconds: number) {
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
function signInLimits(email: string, clientAddress: string) {
  const account = createHash("sha256").update(email).digest("base64url");
  const network = networkOf(clientAddress);
  const pair = {
    limiter: createLimiter("sign-in-pair", 5, 15 * minute),
    key: `${account}:${network}`,
  };
  const address = { limiter: createLimiter("sign-in-address", 50, 15 * minute), key: network };
  const slow = { limiter: createLimiter("sign-in-account", 20, 60 * minute), key: account };
  const all = [pair, address, slow];
  const exceeded = async (limit: typeof pair) => {
    const state = await limit.limiter.get(limit.key);
    return state && state.consumedPoints >= limit.limiter.points ? state : null;
  };

  return {
    async slowDown(): Promise<void> {
      if (await exceeded(slow)) await delay(1_000);
    },
    /** Returns the seconds until the next attempt is allowed; 0 is now. */
    async secondsToWait(): Promise<number> {
      const states = await Promise.all([pair, address].map(exceeded));
      return Math.ceil(Math.max(...states.map((state) => state?.msBeforeNext ?? 0)) / 1_000);
    },
    async countFailure(): Promise<void> {
      await Promise.all(all.map(({ limiter, key }) => limiter.penalty(key, 1)));
    },
    /** Forgets the failures after a successful sign-in; those of other accounts keep counting. */
    async clear(): Promise<void> {
      await Promise.all(all.map(({ limiter, key }) => limiter.delete(key)));
    },
  };
}

/** Shortens an IPv6 address to its /64, which one customer of a provider has as a whole. */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  const [head = "", tail] = address.split("%", 1)[0]!.split("::");
  const front = head.split(":").filter(Boolean);
  const back = (tail ?? "").split(":").filter(Boolean);
  const gap = tail === undefined ? [] : Array<string>(8 - front.length - back.length).fill("0");
  return [...front, ...gap, ...back].slice(0, 4).join(":");
}
