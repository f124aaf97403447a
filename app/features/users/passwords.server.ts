import { randomUUID } from "node:crypto";
import { hash, verify } from "@node-rs/argon2";
import { DomainError } from "../../errors";

/** Parameters of argon2id, the default algorithm of the library. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** More concurrent hashes would keep every thread of the process from its other work. */
const maxRunning = 2;
const maxWaiting = 50;

let running = 0;
const waiting: (() => void)[] = [];

/**
 * Runs work that hashes a password as soon as one of the slots is free.
 * @throws DomainError unavailable: too many are waiting
 */
export async function withHashingSlot<T>(work: () => Promise<T>): Promise<T> {
  if (running >= maxRunning) {
    if (waiting.length >= maxWaiting)
      throw new DomainError("unavailable", "Too many people are signing in. Please try again.");
    await new Promise<void>((resolve) => waiting.push(resolve));
  } else running += 1;
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }
}

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
  // No password longer than 128 characters was ever accepted.
  const isPossible = passwordHash !== null && password.length > 0 && password.length <= 128;
  const isRight = await verify(isPossible ? passwordHash : await decoy, password.slice(0, 128));
  return isPossible && isRight;
}
