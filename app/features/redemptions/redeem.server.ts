/** Redeems a code at a machine. */
import { randomInt } from "node:crypto";
import { queryPrepared } from "../../db/connection.server";
import { environment } from "../../env.server";
import { findCode } from "../../forms/code-input";
import type { ReachableCap } from "../caps/cap";
import { maxParts } from "../caps/cap-sql.server";
import { clockBindings } from "../promotions/promotion-sql.server";
import type { Transaction } from "../transactions/transaction";
import { recordThrottled, toPrintable } from "./attempt-counts.server";
import { noAttemptId } from "./find-attempt.server";
import type { RedemptionRequest } from "./redemption-api";
import {
  type KeyRefusal,
  runWithKey,
  siteOf,
  type StoredTransaction,
  toTransaction,
  withTurn,
} from "./redemption-sql.server";
import {
  cappedStatement,
  noCodeStatement,
  redemptionStatement,
  repetitionStatement,
  waitingStatement,
} from "./redemption-statements.server";
import type { RefusalReason } from "./refusal-reason";
import { cacheThrottle, throttledSeconds, wasAttempted } from "./throttles.server";

type Refusal = {
  outcome: "refused";
  reason: RefusalReason;
  /** The cap that was reached, if that is the reason. */
  cap?: ReachableCap;
};

type RedemptionAnswer =
  | { outcome: "applied"; transaction: Transaction }
  | Refusal
  /** The integration used the id before, with another body. */
  | { outcome: "conflict" }
  /** The integration used the id before, and what was answered is archived, or deleted with old refusals. */
  | { outcome: "archived" }
  /** It was accepted and has been rolled back since, or was rolled back before it arrived. */
  | { outcome: "rolled_back" }
  | { outcome: "throttled"; retryAfterSeconds: number }
  | KeyRefusal;

/** Attempts that take from a part of the caps that nobody has locked; those after them wait for all parts. */
const maxHastyAttempts = 2;

/** Set for good, so that a code with caps needs a second statement once in the life of the process. */
let hasMetCaps = false;

/** @param verdict that of the attempt before */
function chooseStatement(attempt: number, verdict: string | null) {
  hasMetCaps ||= verdict === "capped";
  if (!hasMetCaps) return redemptionStatement;
  return attempt < maxHastyAttempts ? cappedStatement : waitingStatement;
}

type Decision = Omit<StoredTransaction, "originalPrice"> & {
  verdict: string;
  outcome?: never;
  /** The attempt that used the redemption id before. */
  attemptId: string | null;
  attemptedAt: string | null;
  cap: ReachableCap | null;
  retryAfter: number | null;
  /** Whether a throttle holds for the key at all machines. */
  isEverywhere: boolean | null;
};

/**
 * Takes a use or returns the reason against it, and logs the attempt. The same id with the same body
 * gets the first answer again, however late, unless the redemption was rolled back since: a late retry
 * must not vend.
 * @param secret of an integration's key, unchecked
 * @param now only tests pass one
 * @throws DomainError unavailable
 */
export async function redeem(
  request: RedemptionRequest,
  secret: string,
  now: Date | null = null,
): Promise<RedemptionAnswer> {
  const parsed = findCode(request.code, environment().qrPayload);
  const code = parsed ?? toPrintable(request.code);
  const row = await (parsed === null
    ? runWithKey<Decision>(() => noCodeStatement, secret, { ...request, code })
    : // Leaves turns of the key to other codes.
      withTurn(`${secret} ${code}`, (deadline) => {
        const values = { ...request, ...clockBindings(now), code, firstPart: randomInt(maxParts) };
        const turns = { lockedCode: code, deadline };
        return runWithKey<Decision>(chooseStatement, secret, values, turns);
      }));
  if (row.outcome) return row;
  if (row.verdict === "throttled") {
    recordThrottled(secret, { ...request, code });
    const retryAfterSeconds = row.retryAfter ?? 1;
    cacheThrottle(secret, row.isEverywhere ? null : request.serialNumber, retryAfterSeconds);
    return { outcome: "throttled", retryAfterSeconds };
  }
  if (row.verdict !== "repetition") return toAnswer(row, request);
  const { attemptId, attemptedAt } = row;
  const [first] = await queryPrepared<FirstAnswer>(
    repetitionStatement,
    { ...request, code, attemptId, attemptedAt },
    siteOf(secret),
  );
  if (!first) return { outcome: attemptId === noAttemptId ? "rolled_back" : "archived" };
  return first.isSame ? toAnswer(first, request) : { outcome: "conflict" };
}

type FirstAnswer = Omit<StoredTransaction, "originalPrice"> &
  Pick<Decision, "verdict" | "cap"> & { isSame: boolean };

/** @param row says 'accepted' or the reason against it */
function toAnswer(
  row: Omit<FirstAnswer, "isSame">,
  { originalPrice, redemptionId }: RedemptionRequest,
): RedemptionAnswer {
  if (row.verdict !== "accepted") {
    const reason = row.verdict as RefusalReason;
    return { outcome: "refused", reason, ...(reason === "cap_reached" && { cap: row.cap! }) };
  }
  if (row.status === "rolled_back") return { outcome: "rolled_back" };
  const transaction = toTransaction({ ...row, originalPrice }, redemptionId);
  return { outcome: "applied", transaction };
}

/**
 * Rejects a redemption of a key that was throttled a moment ago, at a fraction of the cost of its statement. A
 * repetition goes on to its first answer (RULES R3).
 * @returns null if it is to be redeemed
 * @throws DomainError unavailable
 */
export async function answerThrottled(request: RedemptionRequest, secret: string) {
  const retryAfterSeconds = throttledSeconds(secret, request.serialNumber);
  if (retryAfterSeconds === null || (await wasAttempted(request.redemptionId, secret))) return null;
  const code = findCode(request.code, environment().qrPayload) ?? toPrintable(request.code);
  recordThrottled(secret, { ...request, code });
  return { retryAfterSeconds };
}
