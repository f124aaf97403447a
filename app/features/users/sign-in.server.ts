import { db } from "../../db/connection.server";
import { withHashingSlot, isPasswordRight } from "./passwords.server";
import { signInLimits } from "./sign-in-limits.server";
import type { User } from "./user";
import { userColumns, userFromRow, type UserRow } from "./users.server";

/** rulings 2.2: one sentence, whatever was wrong. */
export const refusedMessage = "Something is wrong with your login or password :(";

export class SignInRefused extends Error {
  /** 0: the email or password was wrong; else too many were, and trying again makes sense only then. */
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
 * unverified account and a wrong password (security T1, T2).
 * @throws SignInRefused; DomainError 'unavailable' when too many are signing in
 */
export async function signIn(given: {
  email: string;
  password: string;
  clientAddress: string;
}): Promise<User> {
  const email = given.email.trim().toLowerCase();
  const limits = signInLimits(email, given.clientAddress);
  await limits.slowDown();
  // Within the turn, so that many tries at once can't all pass before the first is counted.
  return withHashingSlot(async () => {
    const seconds = await limits.secondsToWait();
    if (seconds > 0) throw new SignInRefused(seconds);

    const row = await findByEmail(email);
    const isRight = await isPasswordRight(given.password, row?.password_hash ?? null);
    if (!row || !isRight || row.is_disabled || row.email_verified_at === null) {
      await limits.countFailure();
      throw new SignInRefused(0);
    }
    await limits.clear();
    return userFromRow(row);
  });
}

type CredentialRow = UserRow & {
  password_hash: string | null;
  is_disabled: boolean;
  email_verified_at: Date | null;
};

async function findByEmail(email: string): Promise<CredentialRow | undefined> {
  // PostgreSQL refuses NUL in a text; nobody is called so.
  return db()("users")
    .where({ email: email.replaceAll("\0", " ") })
    .first<CredentialRow>([...userColumns, "password_hash", "is_disabled", "email_verified_at"]);
}
