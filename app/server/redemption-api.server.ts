/**
 * Answers the redemption API beside Remix: machines wait for it, and Remix would cost several times what the statement
 * does. `http/openapi.server` says what each call wants and answers. Cookies, keys in the address and the body of a
 * rollback count for nothing.
 * After 503, or no answer at all, nobody knows yet whether it was done: clients send exactly the same again.
 */
import type { ServerResponse } from "node:http";
import { bearerOf } from "../http/guards.server";
import {
  answerCall,
  rejectKey,
  type Answer,
  type RedemptionCall,
} from "../http/redemption-calls.server";
import { messageFor, type Rejection } from "../http/rejection.server";
import type { watchDatabase } from "./database-watch.server";
import { createKeyAdmission } from "./key-admission.server";
import type { LoadLimits } from "./load-limits.server";
import type { RoutedRequest } from "./metrics-endpoint.server";
import { readBody } from "./request-body.server";

const maxRedemptionBytes = 8 * 1024;

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
      answerCall(call, {
        secret,
        contentType,
        body,
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

function sendJson(response: ServerResponse, { status, body }: Answer): void {
  const content = Buffer.from(JSON.stringify(body));
  response.writeHead(status, {
    "Content-Type": "application/json; charset=utf-8",
    "Content-Length": content.length,
  });
  response.end(content);
}
