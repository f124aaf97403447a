import { db, one } from "../../db/connection.server";
import { withHashingSlot, isPasswordRight } from "./passwords.server";
import { signInLimits } from "./sign-in-limits.server";
import type { User } from "./user";
import { selectUserSql } from "./users.server";

/** Says the same whatever was wrong, so that it tells nothing about accounts. */
export const refusedMessage = "Something is wrong with your login or password :(";

export class SignInRefused extends Error {
  /** 0: the email or password was wrong; otherwise there were too many attempts. */
  readonly retryAfterSeconds: number;

  constructor(retryAfterSeconds: number) {
    const minutes = Math.ceil(retryAfterSeconds / 60);
    super(
      retryAfterSeconds === 0
        ? refusedMessage
        : `Too many attempts. Please try again in ${minutes} ${minutes === 1 ? "minute" : "minutes"}.`,
    );
    this.name = "SignInRefused";
    this.retryAfterSeconds = retryAfterSeconds;
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
