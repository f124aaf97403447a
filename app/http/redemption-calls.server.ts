/** Answers the calls of the redemption API, whoever carries them: the server to machines, or a screen that tries one. */
import type * as z from "zod/mini";
import { reachedMessages, type ReachableCap } from "../features/caps/cap";
import { DomainError } from "../errors";
import { isIdempotencyKey, wrongIdempotencyKey } from "../features/activity/idempotency.server";
import {
  checkBody,
  isRedemptionId,
  redemptionBody,
  type RedemptionCheck,
  type RedemptionRequest,
} from "../features/redemptions/redemption-api";
import { checkRedemption } from "../features/redemptions/check-redemption.server";
import { answerThrottled, redeem } from "../features/redemptions/redeem.server";
import { rollBack } from "../features/redemptions/roll-back.server";
import type { KeyRefusal } from "../features/redemptions/redemption-sql.server";
import {
  refusalMessages,
  refusalReasons,
  type RefusalReason,
} from "../features/redemptions/refusal-reason";
import { isIntegrationKey } from "../features/integrations/integrations.server";
import { toApiTransaction } from "../features/transactions/transaction";
import { maxFailedLookupsAtMachine } from "../features/integrations/integration";
import { findBearer, isTestSecret } from "../features/sign-in/tokens.server";
import { redemptions, rollbacks } from "../metrics.server";
import { notJson, parseBody, parseJson } from "./api-body.server";
import { unknownBearer } from "./guards.server";
import { retryHeaders } from "./rate-limit-headers";
import { messageFor, unavailable, type Rejection } from "./rejection.server";

// A counter that begins with its first event hides that event from rates.
for (const outcome of ["applied", ...refusalReasons, "conflict", "rolled_back", "archived"])
  redemptions.inc({ outcome }, 0);

/** Counts an outcome of a real key. */
function countOutcome(counter: typeof redemptions, secret: string, outcome: string): void {
  if (!isTestSecret(secret)) counter.inc({ outcome });
}

/** The limit that a machine meets first; a key has a higher one for all machines together. */
const failedLookupPolicy = {
  name: "failed-lookups",
  quota: maxFailedLookupsAtMachine,
  windowSeconds: 60,
};

export type Answer = { status: number; body: object };

export type RedemptionCall =
  { kind: "redeem" } | { kind: "check" } | { kind: "roll back"; redemptionId: string };

export function redemptionCall(path: string): RedemptionCall | null {
  if (path === "/api/redemptions") return { kind: "redeem" };
  if (path === "/api/redemptions/check") return { kind: "check" };
  const id = /^\/api\/redemptions\/([^/]+)\/rollback$/.exec(path)?.[1];
  return id === undefined ? null : { kind: "roll back", redemptionId: decodeURIComponent(id) };
}

type RedemptionInput = {
  secret: string;
  idempotencyKey: string | null;
  contentType: string;
  body: Buffer;
  /** Waits for one of the key's places; a throttled redemption needs none. */
  withPlace: (work: () => Promise<Answer | Rejection>) => Promise<Answer | Rejection>;
};

/** @returns the answer of an accepted or refused call, or why it was rejected */
export async function answerCall(
  call: RedemptionCall,
  { secret, idempotencyKey, contentType, body, withPlace }: RedemptionInput,
): Promise<Answer | Rejection> {
  try {
    if (call.kind === "roll back")
      return await withPlace(() => answerRollback(secret, call.redemptionId, idempotencyKey));
    // A caller who may not redeem learns nothing about the body.
    const rejectBody = (answer: Answer | Rejection) =>
      withPlace(async () => (await rejectKey(secret)) ?? answer);
    if (call.kind === "check") {
      const check = readRequest(contentType, body, checkBody);
      if ("status" in check) return await rejectBody(check);
      return await withPlace(() => answerCheck(check, secret));
    }
    const request = readRequest(contentType, body, redemptionBody);
    if ("status" in request) return await rejectBody(request);
    const throttled = await answerThrottled(request, secret);
    return throttled
      ? throttledAnswer(secret, throttled.retryAfterSeconds)
      : await withPlace(() => answerRedeem(request, secret));
  } catch (error) {
    if (error instanceof DomainError && error.reason === "unavailable")
      return { ...unavailable, reason: "contention" };
    throw error;
  }
}

function throttledAnswer(secret: string, retryAfterSeconds: number): Rejection {
  countOutcome(redemptions, secret, "throttled");
  return {
    status: 429,
    message: refusalMessages["throttled"],
    headers: retryHeaders(failedLookupPolicy, retryAfterSeconds),
  };
}

async function answerRedeem(
  request: RedemptionRequest,
  secret: string,
): Promise<Answer | Rejection> {
  const answer = await redeem(request, secret);
  if (answer.outcome === "throttled") return throttledAnswer(secret, answer.retryAfterSeconds);
  countOutcome(redemptions, secret, answer.outcome === "refused" ? answer.reason : answer.outcome);
  switch (answer.outcome) {
    case "applied":
      return { status: 201, body: toApiTransaction(answer.transaction) };
    case "refused":
      return refusedAnswer(answer);
    case "conflict":
      return { status: 409, message: "This redemption id was used for something else." };
    case "rolled_back": {
      const error = "This redemption was rolled back. Don't vend for it.";
      return { status: 409, body: { error, reason: answer.outcome } };
    }
    case "archived": {
      const error =
        "This redemption id was used before, and its answer is archived. Don't vend for it.";
      return { status: 409, body: { error, reason: answer.outcome } };
    }
    default:
      return keyAnswer(answer, secret);
  }
}

function refusedAnswer({ reason, cap }: { reason: RefusalReason; cap?: ReachableCap }): Answer {
  const error = cap ? reachedMessages[cap] : refusalMessages[reason];
  return { status: 422, body: { error, reason, ...(cap && { cap }) } };
}

async function answerCheck(request: RedemptionCheck, secret: string): Promise<Answer | Rejection> {
  const answer = await checkRedemption(request, secret);
  switch (answer.outcome) {
    case "accepted":
      return { status: 200, body: answer.terms };
    case "refused":
      return refusedAnswer(answer);
    case "throttled":
      return throttledAnswer(secret, answer.retryAfterSeconds);
    default:
      return keyAnswer(answer, secret);
  }
}

function readRequest<Body>(
  contentType: string,
  content: Buffer,
  schema: z.ZodMiniType<Body>,
): Body | Answer | Rejection {
  if (!/^application\/json\s*(;|$)/i.test(contentType)) return { status: 415, message: notJson };
  try {
    const value = parseJson(content);
    if (value instanceof Object && !Array.isArray(value)) return parseBody(value, schema);
  } catch (error) {
    if (error instanceof DomainError)
      return { status: 422, body: { error: error.message, fields: error.fields } };
  }
  return { status: 400, message: messageFor(400) };
}

async function answerRollback(
  secret: string,
  redemptionId: string,
  idempotencyKey: string | null,
): Promise<Answer | Rejection> {
  const nothing = { status: 404, message: "There is no such redemption." };
  if (!isRedemptionId(redemptionId)) return (await rejectKey(secret)) ?? nothing;
  if (idempotencyKey !== null && !isIdempotencyKey(idempotencyKey))
    return (await rejectKey(secret)) ?? { status: 422, message: wrongIdempotencyKey };
  const answer = await rollBack(redemptionId, secret, { idempotencyKey });
  countOutcome(rollbacks, secret, answer.outcome);
  switch (answer.outcome) {
    case "rolled_back":
      return { status: 200, body: toApiTransaction(answer.transaction) };
    case "repeated": {
      const transaction = toApiTransaction(answer.transaction);
      const error = "This redemption was rolled back before.";
      return { status: 409, body: { error, reason: "rolled_back", transaction } };
    }
    case "not_found":
      return nothing;
    case "conflict":
      return { status: 409, message: answer.message };
    default:
      return keyAnswer(answer, secret);
  }
}

/** Tells why a key may not redeem, or returns null for a valid one. */
export async function rejectKey(secret: string): Promise<Rejection | null> {
  return (await isIntegrationKey(secret)) ? null : keyAnswer({ outcome: "bad_key" }, secret);
}

async function keyAnswer(rejection: KeyRefusal, secret: string): Promise<Rejection> {
  if (rejection.outcome === "wrong_key") return { status: 403, message: rejection.message };
  if (await findBearer(secret)) return { status: 403, message: "This key may not redeem codes." };
  return { status: 401, message: unknownBearer(secret), headers: { "WWW-Authenticate": "Bearer" } };
}
