/** The actions of links in mails: a new password, the first password, a verified address (RULES H13, H14). */
import * as z from "zod/mini";
import { db, one, query, type Database } from "../../db/connection.server";
import { countAttempt, type Limit } from "../../db/rate-limits.server";
import { conflict } from "../../errors";
import { parseFields } from "../../forms/form-validator";
import { type Origin, recordAction } from "../activity/audit-log.server";
import { dropUnsentMails } from "../mail/outbox.server";
import {
  endedInvitationMessage,
  endedResetMessage,
  endedVerificationMessage,
} from "./account-links";
import { mailAccountLink } from "./account-mails.server";
import { countOrReject, hashOfAddress, networksOf } from "./attempt-limits.server";
import { findLinkUser, spendLinkToken } from "./link-tokens.server";
import { accountFields } from "./account-fields";
import { newPasswordSchema, type NewPassword } from "./password-rules";
import { hashNewPassword, setPassword } from "./passwords.server";

const hourMs = 3_600_000;

/**
 * Counts a mail that somebody asks for without having signed in. What a client asks for beyond its limit doesn't count
 * towards that of the address, or it would keep the owner's own mails away.
 * @returns whether it may be sent: at most 3 an hour go to an address, and 10 are asked for by a client, which is
 *   told apart by its network as everywhere (RULES A4)
 */
async function mayMail(email: string, address: string): Promise<boolean> {
  const isWithin = async (limit: Limit) => !(await countAttempt(db(), [limit]))[0]!.isExceeded;
  const byClient = { key: `mail/by/${networksOf(address)[0]}`, attempts: 10, windowMs: hourMs };
  const toAddress = { key: `mail/to/${hashOfAddress(email)}`, attempts: 3, windowMs: hourMs };
  return (await isWithin(byClient)) && (await isWithin(toAddress));
}

/**
 * Mails the link for a new password, if there is such a user and the limits allow it. The work is the same
 * either way, so that nobody learns whether an account exists: a link is always made and put into the
 * outbox, and a mail with a link of nobody is never sent.
 * @throws DomainError invalid: `fields.email`
 */
export async function requestPasswordReset(
  input: { email: string },
  { address }: Origin,
): Promise<void> {
  const { email: recipient } = parseFields(z.object({ email: accountFields.email }), input);
  if (!(await mayMail(recipient, address))) return;
  await db().transaction(async (trx) => {
    // A change of the address waits for the link, and then ends it. So does another request for a link.
    const user = await one<{ id: string }>(
      trx,
      "select id from users where email = :recipient and not is_disabled for no key update",
      { recipient },
    );
    await mailAccountLink(trx, "password_reset", { recipient, userId: user?.id ?? null }, {});
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
  const ended = kind === "invitation" ? endedInvitationMessage : endedResetMessage;
  const owner = await findLinkUser(db(), kind, secret);
  if (!owner) throw conflict(ended);
  const passwordHash = await hashNewPassword(input, owner);
  await db().transaction(async (trx) => {
    const user = await spendLinkToken(trx, kind, secret);
    if (!user) throw conflict(ended);
    const actor = { ...user, ...origin };
    const action = kind === "invitation" ? "user.password_chosen" : "user.password_reset";
    await setPassword(trx, user.id, passwordHash, { actor, action });
    await markVerified(trx, user.id);
    // An invited user may have asked for a new password instead.
    await dropUnsentMails(trx, ["invitation"], user.email);
  });
}

/** Stores that the user reads the mails of the address, as the user of a mailed link does. */
async function markVerified(trx: Database, id: string): Promise<void> {
  const sql =
    "update users set email_verified_at = coalesce(email_verified_at, now()) where id = :id";
  await query(trx, sql, { id });
}

/** @throws DomainError conflict: the link was used or has ended */
export async function verifyEmail(secret: string, origin: Origin): Promise<void> {
  await db().transaction(async (trx) => {
    const user = await spendLinkToken(trx, "email_verification", secret);
    if (!user) throw conflict(endedVerificationMessage);
    await markVerified(trx, user.id);
    await recordAction(trx, { ...user, ...origin }, "user.email_verified", user.id);
  });
}

function signUpSchema(email: string) {
  return z.intersection(z.object(accountFields), newPasswordSchema(email));
}

/**
 * Counts a sign-up before its password is rated and hashed, which takes some 0.1 s.
 * @throws LimitError: a client made 20 in 15 minutes
 */
function countSignUp(address: string): Promise<void> {
  const key = `sign-up/by/${networksOf(address)[0]}`;
  const limit = { key, attempts: 20, windowMs: 15 * 60_000 };
  return countOrReject(limit, { name: "sign-ups", what: "sign-ups" });
}

/**
 * Creates a user who can sign in once the address is verified, and mails the link for it. For an address that
 * has an account already it mails that, with the same work and the same answer.
 * @throws DomainError invalid, unavailable; LimitError
 */
export async function signUp(
  input: { email: string; firstName?: string; lastName?: string } & NewPassword,
  origin: Origin,
): Promise<void> {
  const schema = signUpSchema(input.email.trim());
  const { email: recipient, firstName, lastName, ...password } = parseFields(schema, input);
  await countSignUp(origin.address);
  const passwordHash = await hashNewPassword(password, { email: recipient, firstName, lastName });
  if (!(await mayMail(recipient, origin.address))) return;
  await db().transaction(async (trx) => {
    const created = await one<{ id: string }>(
      trx,
      `insert into users (email, password_hash, first_name, last_name, role)
       values (:recipient, :passwordHash, :firstName, :lastName, 'user')
       on conflict (email) do nothing returning id`,
      { recipient, passwordHash, firstName, lastName },
    );
    const userId = created?.id ?? null;
    await mailAccountLink(trx, "email_verification", { recipient, userId }, {});
    if (created)
      await recordAction(
        trx,
        { id: created.id, email: recipient, ...origin },
        "user.signed_up",
        created.id,
      );
  });
}
