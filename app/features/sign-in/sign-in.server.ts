import { db, one } from "../../db/connection.server";
import {
  countAttempt,
  forgetAttempts,
  giveAttemptBack,
  type Limit,
} from "../../db/rate-limits.server";
import { rejections } from "../../metrics.server";
import { hashOfAddress, networksOf, tooManyMessage } from "./attempt-limits.server";
import { isPasswordRight, slowDown, withHashingSlot } from "./password-hash.server";
import type { CheckedUser } from "./user";
import { selectCheckedUserSql } from "./users.server";

/** Says the same whatever was wrong, so that it tells nothing about accounts. */
export const rejectedMessage = "Something is wrong with your login or password :(";

export class SignInRejected extends Error {
  override name = "SignInRejected";

  /** @param retryAfterSeconds 0: the email or password was wrong; else there were too many attempts */
  constructor(readonly retryAfterSeconds: number) {
    super(
      retryAfterSeconds === 0 ? rejectedMessage : tooManyMessage("attempts", retryAfterSeconds),
    );
  }
}

/**
 * Checks an email and password with the same work and the same answer for an unknown, disabled or
 * unverified account and a wrong password. An attempt is counted before it is checked, so that those
 * made at once count too, and given back when it succeeds.
 * @throws SignInRejected; DomainError unavailable: too many are signing in
 */
export async function signIn(input: {
  email: string;
  password: string;
  clientAddress: string;
}): Promise<CheckedUser> {
  const email = input.email.trim().toLowerCase();
  const { pair, hard, soft } = signInLimits(email, input.clientAddress);
  const all = [...hard, soft];
  const counted = await countAttempt(db(), all);
  const waits = counted.filter(({ limit, isExceeded }) => isExceeded && limit !== soft);
  if (waits.length > 0) {
    await giveAttemptBack(db(), all);
    rejections.inc({ reason: "signInFailures" });
    throw new SignInRejected(Math.ceil(Math.max(...waits.map(({ msLeft }) => msLeft)) / 1_000));
  }

  const account = await checkPassword(email, input.password, {
    isSlow: counted.some(({ limit, isExceeded }) => isExceeded && limit === soft),
  }).catch(async (error: unknown) => {
    await giveAttemptBack(db(), all);
    throw error;
  });
  if (!account) throw new SignInRejected(0);
  await giveAttemptBack(db(), all);
  await forgetAttempts(db(), pair);
  return account.user;
}

/** Returns null if the account is unknown, disabled or unverified, or the password wrong. */
async function checkPassword(email: string, password: string, { isSlow }: { isSlow: boolean }) {
  if (isSlow) await slowDown(email);
  return withHashingSlot(async () => {
    const account = await findAccount(email);
    const isRight = await isPasswordRight(password, account?.passwordHash ?? null);
    return isRight && !account?.isDisabled && account?.emailVerifiedAt ? account : null;
  });
}

async function findAccount(email: string) {
  const row = await one<
    CheckedUser & { passwordHash: string | null; isDisabled: boolean; emailVerifiedAt: Date | null }
  >(
    db(),
    `select ${selectCheckedUserSql}, password_hash, is_disabled, email_verified_at
     from users where email = :email`,
    // PostgreSQL rejects NUL in a text, and no address contains it.
    { email: email.replaceAll("\0", " ") },
  );
  if (!row) return null;
  const { passwordHash, isDisabled, emailVerifiedAt, ...user } = row;
  return { user, passwordHash, isDisabled, emailVerifiedAt };
}

const minute = 60_000;

/**
 * At most 5 failures in 15 minutes for an account from one address, and 50 for an address; ten times
 * that for the /48 of an IPv6 address, since a provider's customer may have as much. After 20 failures
 * in an hour from any addresses, an account answers slowly but never locks its owner out.
 */
function signInLimits(email: string, clientAddress: string) {
  const account = hashOfAddress(email);
  const limit = (key: string, attempts: number, minutes = 15): Limit => ({
    key: `sign-in-${key}`,
    attempts,
    windowMs: minutes * minute,
  });
  const [network, site] = networksOf(clientAddress);
  const pair = limit(`pair:${account}:${network}`, 5);
  const ofSite = site && [limit(`pair:${account}:${site}`, 50), limit(`address:${site}`, 500)];
  return {
    pair,
    hard: [pair, limit(`address:${network}`, 50), ...(ofSite || [])],
    soft: limit(`account:${account}`, 20, 60),
  };
}
