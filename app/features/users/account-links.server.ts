/** The actions of links in mails: a new password, the first password, a verified address (RULES H13, H14). */
import { db, one, query } from "../../db/connection.server";
import { countAttempt, type Limit } from "../../db/rate-limits.server";
import { DomainError, invalidFields } from "../../errors";
import { recordAction } from "../activity/audit-log.server";
import { endedLinkMessage, endedVerificationMessage } from "./account-links";
import { mailAccountLink } from "./account-mails.server";
import { createLinkToken, spendLinkToken } from "./link-tokens.server";
import type { NewPassword } from "./password-rules";
import { passwordErrors, setPassword } from "./passwords.server";
import { networksOf } from "./sign-in.server";
import { hashPassword, withHashingSlot } from "./users.server";

/** The origin of a request, for limits, the audit log and notices. */
type Origin = { requestId: string; address: string; userAgent: string };

const hourMs = 3_600_000;

/**
 * Counts a mail that somebody asks for without having signed in.
 * @returns whether it may be sent: at most 3 an hour go to an address, and 10 are asked for by a client, which is
 *   told apart by its network as everywhere (RULES A4)
 */
async function mayMail(email: string, address: string): Promise<boolean> {
  const limits: Limit[] = [
    { key: `mail/to/${email}`, attempts: 3, windowMs: hourMs },
    { key: `mail/by/${networksOf(address)[0]}`, attempts: 10, windowMs: hourMs },
  ];
  const counted = await countAttempt(db(), limits);
  return counted.every(({ isExceeded }) => !isExceeded);
}

/**
 * Mails the link for a new password, if there is such a user and the limits allow it. The work is the same
 * either way, so that nobody learns whether an account exists: a link is always made and put into the
 * outbox, and a mail with a link of nobody is never sent.
 * @param email as it was typed, without errors
 */
export async function requestPasswordReset(email: string, { address }: Origin): Promise<void> {
  const recipient = email.trim().toLowerCase();
  if (!(await mayMail(recipient, address))) return;
  await db().transaction(async (trx) => {
    // A change of the address waits for the link, and then ends it.
    const user = await one<{ id: string }>(
      trx,
      "select id from users where email = :recipient and not is_disabled for share",
      { recipient },
    );
    const secret = await createLinkToken(trx, "password_reset", user?.id ?? null);
    await mailAccountLink(trx, "password_reset", { recipient, secret, isKnown: user !== null });
  });
}

/**
 * Sets the password that a link was mailed for, and ends the sessions and tokens of its user. An invitation
 * verifies the address too. A password that is refused leaves the link as it was.
 * @throws DomainError conflict: the link was used or has ended; invalid: `fields.newPassword` or
 *   `fields.confirmPassword`; unavailable
 */
export async function setPasswordByLink(
  kind: "password_reset" | "invitation",
  secret: string,
  input: NewPassword,
  origin: Origin,
): Promise<void> {
  await db().transaction(async (trx) => {
    const user = await spendLinkToken(trx, kind, secret);
    if (!user) throw new DomainError("conflict", endedLinkMessage);
    const actor = { ...user, ...origin };
    const action = kind === "invitation" ? "user.password_chosen" : "user.password_reset";
    await setPassword(trx, user.id, input, { actor, action });
    // The user of the link reads the mails of this address.
    await query(
      trx,
      "update users set email_verified_at = coalesce(email_verified_at, now()) where id = :id",
      { id: user.id },
    );
  });
}

/** @throws DomainError conflict: the link was used or has ended */
export async function verifyEmail(secret: string, origin: Origin): Promise<void> {
  await db().transaction(async (trx) => {
    const user = await spendLinkToken(trx, "email_verification", secret);
    if (!user) throw new DomainError("conflict", endedVerificationMessage);
    await query(
      trx,
      "update users set email_verified_at = coalesce(email_verified_at, now()) where id = :id",
      { id: user.id },
    );
    await recordAction(trx, { ...user, ...origin }, "user.email_verified", user.id);
  });
}

/** The values of a sign-up, without errors. */
export type NewAccount = { email: string; firstName: string; lastName: string };

/**
 * Creates a user who can sign in once the address is verified, and mails the link for it. For an address that
 * has an account already it mails that, with the same work and the same answer.
 * @throws DomainError invalid: `fields.newPassword` or `fields.confirmPassword`; unavailable
 */
export async function signUp(
  { email, firstName, lastName }: NewAccount,
  password: NewPassword,
  origin: Origin,
): Promise<void> {
  const recipient = email.trim().toLowerCase();
  const errors = await passwordErrors(password, { email: recipient, firstName, lastName });
  if (Object.keys(errors).length > 0) throw invalidFields(errors);
  const passwordHash = await withHashingSlot(() => hashPassword(password.newPassword));
  if (!(await mayMail(recipient, origin.address))) return;
  await db().transaction(async (trx) => {
    const created = await one<{ id: string }>(
      trx,
      `insert into users (email, password_hash, first_name, last_name, role)
       values (:recipient, :passwordHash, :firstName, :lastName, 'user')
       on conflict (email) do nothing returning id`,
      { recipient, passwordHash, firstName, lastName },
    );
    const secret = await createLinkToken(trx, "email_verification", created?.id ?? null);
    await mailAccountLink(trx, "email_verification", {
      recipient,
      secret,
      isKnown: created !== null,
    });
    if (created)
      await recordAction(
        trx,
        { id: created.id, email: recipient, ...origin },
        "user.signed_up",
        created.id,
      );
  });
}
