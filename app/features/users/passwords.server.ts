import { randomUUID } from "node:crypto";
import { hash, verify } from "@node-rs/argon2";
import { DomainError } from "../../errors";

// argon2id, the library's default algorithm.
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** More at once would keep every thread of the process from its other work. */
const MAXIMUM_RUNNING = 2;
const MAXIMUM_WAITING = 50;

let running = 0;
const waiting: (() => void)[] = [];

/**
 * Runs work that hashes a password, when its turn has come.
 * @throws DomainError 'unavailable' when too many wait already
 */
export async function withHashingSlot<T>(work: () => Promise<T>): Promise<T> {
  if (running >= MAXIMUM_RUNNING) {
    if (waiting.length >= MAXIMUM_WAITING)
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
 * Does the same work whether there is a hash or not, so that time tells nothing.
 * @param passwordHash null where no user, or none with a password, was found
 */
export async function isPasswordRight(password: string, passwordHash: string | null) {
  decoy ??= hashPassword(randomUUID());
  // Longer ones were never accepted (rulings 2.5).
  const isPossible = passwordHash !== null && password.length > 0 && password.length <= 128;
  const isRight = await verify(isPossible ? passwordHash : await decoy, password.slice(0, 128));
  return isPossible && isRight;
}
