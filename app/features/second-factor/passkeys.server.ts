/** Passkeys: a second factor, and a way to sign in that is both factors at once (RULES H19). */
import { randomBytes } from "node:crypto";
import type { Knex } from "knex";
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from "@simplewebauthn/server";
import { db, one, query, readValue } from "../../db/connection.server";
import { violatesConstraint } from "../../db/database-errors.server";
import { countAttempt, giveAttemptBack, type Limit } from "../../db/rate-limits.server";
import type { Leftovers } from "../../db/sweep.server";
import { environment } from "../../env.server";
import { settings } from "../settings/settings.server";
import { conflict, type DomainError } from "../../errors";
import { parseFields } from "../../forms/form-validator";
import { recordAction } from "../activity/audit-log.server";
import { findStoredResult, type ActionOptions } from "../activity/idempotency.server";
import { notifyUser } from "../sign-in/account-notices.server";
import { maxPasskeys, type Passkey } from "./passkey";
import { deliverRecoveryCodes } from "./recovery-codes.server";
import { passkeyNameSchema } from "./second-factor-forms";
import { hasSecondFactor } from "./second-factor.server";
import { networksOf } from "../sign-in/attempt-limits.server";
import { SignInRejected } from "../sign-in/sign-in.server";
import { hashSecret } from "../sign-in/tokens.server";
import type { CheckedUser, User } from "../sign-in/user";
import { lockActor, selectCheckedUserSql } from "../sign-in/users.server";

const timeoutMs = 5 * 60_000;

/** EdDSA, ES256 and RS256: every authenticator knows one of them. */
const algorithms = [-8, -7, -257];

export const endedChallenges: Leftovers = {
  table: "passkey_challenges",
  conditionSql: "expires_at < now()",
};

/** The domain that passkeys belong to: of the configured origin, whatever the request says. */
const relyingPartyId = () => new URL(environment().appOrigin).hostname;

/** @param userId who adds a passkey; null for somebody who signs in */
async function createChallenge(userId: string | null): Promise<string> {
  const challenge = randomBytes(32).toString("base64url");
  await query(
    db(),
    `insert into passkey_challenges (hash, user_id, expires_at)
     values (:hash, :userId, now() + interval '1 millisecond' * ${timeoutMs})`,
    { hash: hashSecret(challenge), userId },
  );
  return challenge;
}

/**
 * Reads what a browser answered, and uses up the challenge that it names, whatever comes of it.
 * @returns null unless the challenge is open and was given to this user, or to nobody for `userId` null
 */
async function openAnswer<Answer extends AuthenticationResponseJSON | RegistrationResponseJSON>(
  posted: string,
  userId: string | null,
): Promise<{ answer: Answer; challenge: string } | null> {
  const answer = parseJson<Answer>(posted);
  const clientData = parseJson<{ challenge?: unknown }>(
    Buffer.from(String(answer?.response?.clientDataJSON ?? ""), "base64url").toString(),
  );
  const challenge = clientData?.challenge;
  if (!answer || typeof answer.id !== "string" || typeof challenge !== "string") return null;
  const used = await one(
    db(),
    `delete from passkey_challenges
     where hash = :hash and user_id is not distinct from :userId and expires_at > now() returning 1`,
    { hash: hashSecret(challenge), userId },
  );
  return used && { answer, challenge };
}

function parseJson<Value>(text: string): Value | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" ? (value as Value) : null;
  } catch {
    return null;
  }
}

const expected = (challenge: string) => ({
  expectedChallenge: challenge,
  expectedOrigin: environment().appOrigin,
  expectedRPID: relyingPartyId(),
  requireUserVerification: true,
});

export function listPasskeys(userId: string): Promise<Passkey[]> {
  return query<Passkey>(
    db(),
    "select id, name, created_at, last_used_at from passkeys where user_id = :userId order by id",
    { userId },
  );
}

/** @returns what the browser is to make a passkey from, within 5 minutes */
export async function startAddingPasskey(user: Pick<User, "id" | "email">) {
  const existing = await query<{ id: string }>(
    db(),
    "select credential_id as id from passkeys where user_id = :userId",
    { userId: user.id },
  );
  if (existing.length >= maxPasskeys) throw tooManyPasskeys();
  return {
    challenge: await createChallenge(user.id),
    rp: { id: relyingPartyId(), name: settings().siteName },
    user: {
      // Authenticators store it, and show it to whoever holds them.
      id: hashSecret(`passkey user ${user.id}`).toString("base64url"),
      name: user.email,
      displayName: user.email,
    },
    pubKeyCredParams: algorithms.map((alg) => ({ type: "public-key", alg })),
    excludeCredentials: existing.map(({ id }) => ({ type: "public-key", id })),
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
    attestation: "none",
    timeout: timeoutMs,
  };
}

/**
 * Adds the passkey that a browser made.
 * @param input.credential as the browser answered, JSON
 * A repeated request adds nothing, and replaces recovery codes that were not delivered.
 * @returns ten recovery codes, to be shown once, if it is the user's first second factor; else null
 * @throws DomainError invalid: `fields.name`; conflict: the answer is not accepted, or there are ten, or the
 *   recovery codes were replaced since
 */
export async function addPasskey(
  userId: string,
  { credential, ...input }: { name: string; credential: string },
  { actor, idempotencyKey: key = null }: ActionOptions,
): Promise<string[] | null> {
  const { name } = parseFields(passkeyNameSchema, input);
  // The challenge of a repeated request is used up.
  const wasAdded = key !== null && (await findStoredResult(userId, key)) !== null;
  const created = wasAdded ? null : await verifyNewPasskey(userId, credential);
  return db().transaction(async (trx) => {
    await lockActor(trx, actor);
    const request = { userId, key, input: { credential } };
    return deliverRecoveryCodes(trx, userId, request, async () => {
      if (!created) throw notAccepted();
      const isFirst = !(await hasSecondFactor(userId, trx));
      await insertPasskey(trx, userId, { name, ...created });
      const details = { name };
      await recordAction(trx, actor, "user.passkey_added", userId, { details });
      await notifyUser(trx, userId, "passkey_added", { actor, detail: details.name });
      return isFirst;
    });
  });
}

async function insertPasskey(
  trx: Knex,
  userId: string,
  passkey: { name: string; id: string; publicKey: Buffer; counter: number },
): Promise<void> {
  const sql = "select count(*)::integer from passkeys where user_id = :userId";
  if ((await readValue<number>(trx, sql, { userId })) >= maxPasskeys) throw tooManyPasskeys();
  await query(
    trx,
    `insert into passkeys (user_id, credential_id, public_key, counter, name)
     values (:userId, :id, :publicKey, :counter, :name)`,
    { userId, ...passkey },
  ).catch((cause: unknown) => {
    throw violatesConstraint(cause, "passkeys_credential_id_key") ? notAccepted() : cause;
  });
}

async function verifyNewPasskey(userId: string, posted: string) {
  const opened = await openAnswer<RegistrationResponseJSON>(posted, userId);
  if (!opened) return null;
  const { verifyRegistrationResponse } = await import("@simplewebauthn/server");
  const { registrationInfo } = await verifyRegistrationResponse({
    response: opened.answer,
    ...expected(opened.challenge),
    supportedAlgorithmIDs: algorithms,
  }).catch(() => ({ registrationInfo: undefined }));
  if (!registrationInfo) return null;
  const { id, publicKey, counter } = registrationInfo.credential;
  return { id, publicKey: Buffer.from(publicKey), counter };
}

/**
 * Lets a browser sign in with a passkey of any account, within 5 minutes. Nothing depends on an account.
 * @throws SignInRejected: 50 attempts from this address have failed in 15 minutes
 */
export async function startPasskeySignIn(clientAddress: string) {
  const limit = limitOf(clientAddress);
  const [counted] = await countAttempt(db(), [limit]);
  if (counted!.isExceeded) throw new SignInRejected(Math.ceil(counted!.msLeft / 1_000));
  return {
    challenge: await createChallenge(null),
    rpId: relyingPartyId(),
    userVerification: "required",
    timeout: timeoutMs,
  };
}

const limitOf = (clientAddress: string): Limit => ({
  key: `passkey/${networksOf(clientAddress)[0]}`,
  attempts: 50,
  windowMs: 15 * 60_000,
});

/**
 * Checks a passkey. A challenge counts once; the counter of the authenticator must have grown, if it counts.
 * @param credential as the browser answered, JSON
 * @param options.userId whose passkey it must be: of whom has entered the password
 * @throws SignInRejected: it is not accepted, or its user may not sign in
 */
export async function signInWithPasskey(
  credential: string,
  { clientAddress, userId }: { clientAddress: string; userId?: string | undefined },
): Promise<CheckedUser> {
  const opened = await openAnswer<AuthenticationResponseJSON>(credential, null);
  if (!opened) throw new SignInRejected(0);
  const found = await findPasskey(opened.answer.id);
  if (!found || (userId !== undefined && found.user.id !== userId)) throw new SignInRejected(0);
  const { verifyAuthenticationResponse } = await import("@simplewebauthn/server");
  const checked = await verifyAuthenticationResponse({
    response: opened.answer,
    ...expected(opened.challenge),
    credential: found.credential,
  }).catch(() => null);
  if (!checked?.verified) throw new SignInRejected(0);
  const isNew = await one(
    db(),
    `update passkeys set counter = :counter, last_used_at = now()
     where id = :id and (counter < :counter or (counter = 0 and :counter = 0)) returning 1`,
    { id: found.id, counter: checked.authenticationInfo.newCounter },
  );
  if (!isNew) throw new SignInRejected(0);
  await giveAttemptBack(db(), [limitOf(clientAddress)]);
  return found.user;
}

async function findPasskey(credentialId: string) {
  const row = await one<
    CheckedUser & { passkeyId: string; publicKey: Buffer; counter: string; credentialId: string }
  >(
    db(),
    `select ${selectCheckedUserSql}, passkeys.id as passkey_id, public_key, counter, credential_id
     from passkeys join users on users.id = passkeys.user_id
     where credential_id = :credentialId and not is_disabled and email_verified_at is not null`,
    { credentialId: credentialId.replaceAll("\0", " ") },
  );
  if (!row) return null;
  const { passkeyId: id, publicKey, counter, credentialId: name, ...user } = row;
  const credential = { id: name, publicKey: new Uint8Array(publicKey), counter: Number(counter) };
  return { id, user, credential };
}

function notAccepted(): DomainError {
  return conflict("The passkey was not accepted. Try again.");
}

function tooManyPasskeys(): DomainError {
  return conflict(`You have ${maxPasskeys} passkeys. Remove one first.`);
}
