/**
 * The redemption API, beside Remix: machines wait for it, and Remix would cost several times what
 * the statement does. Both calls want `Authorization: Bearer vqm_…`, a key of an integration;
 * cookies and keys in the address count for nothing. Errors are `{error}`, a sentence for people.
 *
 * `POST /api/redemptions` wants a `redemptionBody` as JSON, at most 8 KiB. 201 is an accepted use, and
 * 422 with `reason` a refusal, both also when it is asked again; once it was rolled back, a repetition
 * is 409 with the reason `rolled_back`. After 422 with `fields` and after 429 nothing was decided, and
 * the redemption id is still free.
 *
 * `POST /api/redemptions/check` wants the same without a redemption id, and answers what the redemption would: 200 with the
 * discount, or the same 422. It takes no use.
 *
 * `POST /api/redemptions/{redemptionId}/rollback` answers 200 once, and again to the same `Idempotency-Key`; any other
 * repetition is 409 with the reason `rolled_back` and the transaction. A body, if there is one, is not looked at.
 *
 * After 503, or no answer at all, nobody knows yet whether it was done: send exactly the same again.
 */
import type { ServerResponse } from "node:http";
import type * as z from "zod/mini";
import { reachedMessage, type ReachableCap } from "../features/caps/cap";
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
  refusalMessage,
  refusalReasons,
  type RefusalReason,
} from "../features/redemptions/refusal-reason";
import { isIntegrationKey } from "../features/integrations/integrations.server";
import { toApiTransaction } from "../features/transactions/transaction";
import { maxFailedLookupsAtMachine } from "../features/integrations/integration";
import { parseBody } from "../http/api.server";
import { bearerOf, unknownBearer } from "../http/guards.server";
import { retryHeaders } from "../http/rate-limit-headers";
import { findBearer } from "../features/sign-in/tokens.server";
import { redemptions, rollbacks } from "../metrics.server";
import type { watchDatabase } from "./database-watch.server";
import { createKeyAdmission } from "./key-admission.server";
import type { LoadLimits } from "./load-limits.server";
import type { RoutedRequest } from "./metrics-endpoint.server";
import { messageFor, unavailable } from "./rejections.server";
import { readBody } from "./request-body.server";
import type { Rejection } from "./request-checks.server";

const maxRedemptionBytes = 8 * 1024;

// A counter that begins with its first event hides that event from rates.
for (const outcome of ["applied", ...refusalReasons, "conflict", "rolled_back"])
  redemptions.inc({ outcome }, 0);

/** The limit that a machine meets first; a key has a higher one for all machines together. */
const failedLookupPolicy = {
  name: "failed-lookups",
  quota: maxFailedLookupsAtMachine,
  windowSeconds: 60,
};

type Answer = { status: number; body: object };

type RedemptionCall =
  { kind: "redeem" } | { kind: "check" } | { kind: "roll back"; redemptionId: string };

export function redemptionCall(path: string): RedemptionCall | null {
  if (path === "/api/redemptions") return { kind: "redeem" };
  if (path === "/api/redemptions/check") return { kind: "check" };
  const id = /^\/api\/redemptions\/([^/]+)\/rollback$/.exec(path)?.[1];
  return id === undefined ? null : { kind: "roll back", redemptionId: decodeURIComponent(id) };
}

/** Names of the calls in metrics. */
const routes = { redeem: "redemption", check: "redemption check", "roll back": "rollback" };

/** Makes the handler of calls. A valid key lets a machine pass the limits of everything else. */
export function redemptionHandler(
  limits: LoadLimits,
  whileDatabaseAnswers: ReturnType<typeof watchDatabase>,
) {
  const keys = createKeyAdmission((secret) => whileDatabaseAnswers(rejectKey(secret)));

  return async (
    request: RoutedRequest,
    response: ServerResponse,
    { call, client }: { call: RedemptionCall; client: string },
  ): Promise<Rejection | null> => {
    request.route = routes[call.kind];
    if (request.method !== "POST")
      return { status: 405, message: messageFor(405), headers: { Allow: "POST" } };
    const secret = bearerOf(request.headers.authorization);
    const badKey = await keys.rejectKey(secret, () => limits.enterLookUp(client));
    if (badKey) return badKey;
    const tooManyConnections = limits.exemptConnection(request.socket, secret);
    if (tooManyConnections) {
      response.shouldKeepAlive = false;
      return tooManyConnections;
    }

    const body = await readBody(request, maxRedemptionBytes);
    if (body === undefined) return null;
    if (!Buffer.isBuffer(body)) return body;
    const contentType = request.headers["content-type"] ?? "";
    const answer = await whileDatabaseAnswers(
      run(call, {
        ...{ secret, contentType, body },
        idempotencyKey: request.headers["idempotency-key"]?.toString() ?? null,
        withPlace: (work) => limits.withPlace(secret, work),
      }),
    );
    if (answer.status === 401) keys.forgetKey(secret);
    if ("message" in answer) return answer;
    sendJson(response, answer);
    return null;
  };
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
async function run(
  call: RedemptionCall,
  { secret, idempotencyKey, contentType, body, withPlace }: RedemptionInput,
): Promise<Answer | Rejection> {
  try {
    if (call.kind === "roll back")
      return await withPlace(() => answerRollback(secret, call.redemptionId, idempotencyKey));
    // Who may not redeem learns nothing about the body.
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
      ? throttledAnswer(throttled.retryAfterSeconds)
      : await withPlace(() => answerRedeem(request, secret));
  } catch (error) {
    if (error instanceof DomainError && error.reason === "unavailable")
      return { ...unavailable, reason: "contention" };
    throw error;
  }
}

function sendJson(response: ServerResponse, { status, body }: Answer): void {
  const content = Buffer.from(JSON.stringify(body));
  response.writeHead(status, {
    "Content-Type": "application/json; charset=utf-8",
    "Content-Length": content.length,
  });
  response.end(content);
}

function throttledAnswer(retryAfterSeconds: number): Rejection {
  redemptions.inc({ outcome: "throttled" });
  return {
    status: 429,
    message: refusalMessage("throttled"),
    headers: retryHeaders(failedLookupPolicy, retryAfterSeconds),
  };
}

async function answerRedeem(
  request: RedemptionRequest,
  secret: string,
): Promise<Answer | Rejection> {
  const answer = await redeem(request, secret);
  if (answer.outcome === "throttled") return throttledAnswer(answer.retryAfterSeconds);
  redemptions.inc({ outcome: answer.outcome === "refused" ? answer.reason : answer.outcome });
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
    default:
      return keyAnswer(answer, secret);
  }
}

function refusedAnswer({ reason, cap }: { reason: RefusalReason; cap?: ReachableCap }): Answer {
  const error = cap ? reachedMessage(cap) : refusalMessage(reason);
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
      return throttledAnswer(answer.retryAfterSeconds);
    default:
      return keyAnswer(answer, secret);
  }
}

function readRequest<Body>(
  contentType: string,
  content: Buffer,
  schema: z.ZodMiniType<Body>,
): Body | Answer | Rejection {
  if (!/^application\/json\s*(;|$)/i.test(contentType))
    return { status: 415, message: "Send JSON." };
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(content);
    const value: unknown = JSON.parse(text);
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
  rollbacks.inc({ outcome: answer.outcome });
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
async function rejectKey(secret: string): Promise<Rejection | null> {
  return (await isIntegrationKey(secret)) ? null : keyAnswer({ outcome: "bad_key" }, secret);
}

async function keyAnswer(rejection: KeyRefusal, secret: string): Promise<Rejection> {
  if (rejection.outcome === "wrong_key") return { status: 403, message: rejection.message };
  if (await findBearer(secret)) return { status: 403, message: "This key may not redeem codes." };
  return { status: 401, message: unknownBearer(secret), headers: { "WWW-Authenticate": "Bearer" } };
}
