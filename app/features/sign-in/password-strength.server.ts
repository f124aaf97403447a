/** Tells which new passwords are too easy to guess. The check takes 0.1 s, so it has a thread of its own. */
import path from "node:path";
import { setFlagsFromString } from "node:v8";
import Piscina from "piscina";
import { unavailable } from "../../errors";
import { rejections } from "../../metrics.server";

export type PasswordOwner = { email: string; firstName?: string; lastName?: string };

/** zxcvbn takes longer with each character, and more than these make no password guessable. */
const maxRatedCharacters = 72;
const maxWaiting = 50;

/** The list of passwords is 9 MB: a thread that has nothing to do for a minute ends. */
let threads: Piscina<{ password: string; known: string[] }, Rating> | undefined;
type Rating = { score: number; warning: string };

function ratingThreads() {
  if (threads) return threads;
  // Saves 55 MB: a new thread gets the young generation that `npm start` chose for pages, and no limit of its own.
  setFlagsFromString("--max-semi-space-size=2");
  threads = new Piscina({
    filename: path.resolve("app/features/sign-in/password-strength-worker.js"),
    minThreads: 0,
    maxThreads: 1,
    maxQueue: maxWaiting,
    idleTimeout: 60_000,
    // Redemptions go first on a machine with few processors.
    niceIncrement: 10,
  });
  return threads;
}

const common = "This is one of the most common passwords. Choose another one.";
const similar = "This is a common password with small changes. Choose another one.";
const reasons: Record<string, string> = {
  common,
  topTen: common,
  topHundred: common,
  similarToCommon: similar,
  simpleRepeat: "Repeated characters are easy to guess. Add other words.",
  extendedRepeat: "Repeated words are easy to guess. Add other words.",
  sequences: "Sequences such as abcd are easy to guess. Add other words.",
  keyPattern: "Rows of keys are easy to guess. Add other words.",
  straightRow: "Rows of keys are easy to guess. Add other words.",
  dates: "Dates are easy to guess. Add other words.",
};

/**
 * Returns why a password is too easy to guess, or null. It is, if it is on the list of 49,000 leaked
 * passwords, a small change of one of them, or would be found within 1,000,000 guesses.
 * @param owner whose email and names make a password easy to guess
 * @throws DomainError unavailable: too many passwords are waiting to be rated
 */
export async function commonPasswordError(
  password: string,
  { email, firstName, lastName }: PasswordOwner,
): Promise<string | null> {
  const names = [email, ...email.split(/[@.]/), email.split("@")[0], firstName, lastName];
  const known = [...names, "promo", "console", "promoconsole", "smartvend", "vending"].filter(
    (name): name is string => name !== undefined && name.length > 2,
  );
  const pool = ratingThreads();
  if (pool.queueSize >= maxWaiting) {
    rejections.inc({ reason: "passwordQueue" });
    throw unavailable("Too many people are choosing passwords. Please try again.");
  }
  const { score, warning } = await pool.run({
    password: Array.from(password).slice(0, maxRatedCharacters).join(""),
    known,
  });
  const reason = reasons[warning];
  if (score >= 2 && reason !== common && reason !== similar) return null;
  return reason ?? "This password is too easy to guess. Add other words.";
}
