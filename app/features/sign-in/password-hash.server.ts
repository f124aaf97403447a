/** Hashes passwords and compares them, a few at once. */
import { randomUUID } from "node:crypto";
import { availableParallelism } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import { hash, verify } from "@node-rs/argon2";
import pLimit from "p-limit";
import { type DomainError, unavailable } from "../../errors";
import { isLongerThan } from "../../forms/storable-text";
import { rejections } from "../../metrics.server";

/** Parameters of argon2id, the default algorithm of the library. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** One processor stays free for redemptions; more concurrent hashes would take the threads of all other work, too. */
export const hashingSlots = Math.min(2, Math.max(1, availableParallelism() - 1));
const hashing = pLimit(hashingSlots);
const maxWaiting = 50;

/** Those that are slowed down, by account. */
const delayed = new Map<string, number>();
const maxDelayed = 10;
const delayMs = 1_000;

function tooMany(): DomainError {
  rejections.inc({ reason: "signInQueue" });
  return unavailable("Too many people are signing in. Please try again.");
}

/** @throws DomainError unavailable: too many are waiting */
export async function withHashingSlot<T>(work: () => Promise<T>): Promise<T> {
  if (hashing.pendingCount >= maxWaiting) throw tooMany();
  return hashing(work);
}

/**
 * Waits a second. At most ten wait for one account, so that guesses made at once are slow too.
 * @throws DomainError unavailable: too many are waiting
 */
export async function slowDown(account: string): Promise<void> {
  const others = delayed.get(account) ?? 0;
  if (others >= maxDelayed) throw tooMany();
  delayed.set(account, others + 1);
  await delay(delayMs);
  const left = delayed.get(account)! - 1;
  if (left > 0) delayed.set(account, left);
  else delayed.delete(account);
}

/** Hashes a password with the parameters of this release. Call it within `withHashingSlot`. */
export function hashPassword(password: string): Promise<string> {
  return hash(password, cost);
}

let decoy: Promise<string> | undefined;

/**
 * Compares a password with a hash. Does the same work without a hash, so that the time it takes
 * tells nothing about accounts.
 * @param passwordHash null if there is no such user, or one without a password
 */
export async function isPasswordRight(password: string, passwordHash: string | null) {
  decoy ??= hashPassword(randomUUID());
  // No password longer than 128 characters, of up to two UTF-16 units each, was ever accepted.
  const isPossible = passwordHash !== null && password !== "" && !isLongerThan(password, 128);
  const isRight = await verify(isPossible ? passwordHash : await decoy, password.slice(0, 256));
  return isPossible && isRight;
}
