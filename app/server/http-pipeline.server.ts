import { redemptionCall } from "../http/redemption-calls.server";
import { failed, messageFor, type Rejection, unavailable } from "../http/rejection.server";
import { randomBytes, randomUUID } from "node:crypto";
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { ServerBuild } from "@remix-run/node";
import type { Logger } from "pino";
import { createTurns } from "../codec/turns.server";
import { isDatabaseUnavailable } from "../db/database-errors.server";
import { isCustomerPageOn, isCustomerPath } from "../features/customer-page/address.server";
import { countRefusedKey } from "../features/integrations/refused-keys.server";
import { networksOf } from "../features/sign-in/attempt-limits.server";
import { bearerOf } from "../http/guards.server";
import { rejections } from "../metrics.server";
import { isDataRequest } from "../remix/data-requests";
import { resolveWithin, watchDatabase } from "./database-watch.server";
import { createLoadLimits, type LoadLimits } from "./load-limits.server";
import { countRequest, metricsEndpoint, type RoutedRequest } from "./metrics-endpoint.server";
import { offlinePage, offlinePath } from "./plain-page.server";
import { redemptionHandler } from "./redemption-api.server";
import { databaseRejection, reject } from "./rejections.server";
import { remixHandler } from "./remix-handler.server";
import { receiveBody, rejectByHeaders, rejectFields, StreamedBody } from "./request-body.server";
import {
  allowedOrigins,
  clientAddress,
  dropProxyHeaders,
  isApiPath,
  isFromOurPages,
  isSafeMethod,
  isSignIn,
  rejectRequestLine,
  requestOrigin,
} from "./request-checks.server";
import { createLog, logFault, requestLog, type LoggedResponse } from "./request-log.server";
import { securityHeaders } from "./security-headers.server";
import { staticFiles } from "./static-files.server";

type HttpHandlerOptions = {
  build: () => Promise<ServerBuild>;
  clientFolder: string;
  appOrigin: string;
  /** TRUST_PROXY, a number of hops. */
  trustProxy?: number;
  /** Whether the schema is there; before, requests for anything but files are answered 503. */
  isPrepared?: () => boolean;
  /** Whether the database answers and its schema is current. */
  isReady: () => Promise<boolean>;
  /** Whether the database answers, soon; asked while a request takes long. */
  isDatabaseAlive: () => Promise<boolean>;
  /** METRICS_TOKEN; without it nothing is at `/metrics`. */
  metricsToken?: string | null;
  limits?: LoadLimits;
  /** Vite, in development: it serves the files then, and the policy for scripts is looser. */
  middleware?: (request: IncomingMessage, response: ServerResponse, next: () => void) => void;
  log?: Logger;
  /** After so many ms without a byte taken, a client that is being answered is cut off. */
  stallTimeoutMs?: number;
};

type Exchange = {
  request: RoutedRequest & { clientAddress: string };
  response: LoggedResponse;
  requestId: string;
  cspNonce: string;
};

/** An exchange whose address can be relied on. */
type AddressedExchange = Exchange & {
  /** One of our own origins, as the client named it. */
  origin: string;
  path: string;
  /** The network by which the client is limited. */
  client: string;
};

type Pipeline = ReturnType<typeof createPipeline>;

/** Longer than a database that is well needs to say that it is ready. */
const readyTimeoutMs = 1_500;

export function createHttpHandler(options: HttpHandlerOptions): RequestListener {
  const pipeline = createPipeline(options);
  const { log } = pipeline;

  return (incoming, response: LoggedResponse) => {
    const request = Object.assign(incoming, {
      clientAddress: clientAddress(incoming, options.trustProxy ?? 0),
    });
    const requestId = randomUUID();
    const cspNonce = randomBytes(16).toString("base64");
    answer(pipeline, { request, response, requestId, cspNonce })
      .catch((error: unknown) => {
        // An answer that has begun keeps its status.
        const rejection = response.headersSent ? null : databaseRejection(error);
        if (rejection && isDatabaseUnavailable(error)) response.err = error as Error;
        else logFault(log.child({ requestId }), error);
        return rejection ?? failed;
      })
      .then((rejection) => {
        if (!rejection) return;
        const { reason } = rejection;
        if (reason !== undefined) {
          rejections.inc({ reason });
          response.reason = reason;
        }
        reject(request, response, requestId, rejection);
      })
      .catch((error: unknown) => {
        log.error({ err: error, requestId }, "An answer could not be sent");
        response.destroy();
      });
  };
}

function createPipeline(options: HttpHandlerOptions) {
  const isDevelopment = options.middleware !== undefined;
  const log = options.log ?? createLog();
  const limits = options.limits ?? createLoadLimits();
  const isReady = () => resolveWithin(readyTimeoutMs, options.isReady(), false);
  const whileDatabaseAnswers = watchDatabase(options.isDatabaseAlive);
  const originsByPort = new Map<number | undefined, Set<string>>();
  return {
    log,
    limits,
    isReady,
    whileDatabaseAnswers,
    isPrepared: options.isPrepared ?? (() => true),
    middleware: options.middleware,
    logRequest: requestLog(log),
    setSecurityHeaders: securityHeaders({
      isHttps: options.appOrigin.startsWith("https:"),
      isDevelopment,
    }),
    answerMetrics: metricsEndpoint(options.metricsToken ?? null, isReady),
    serveFile: isDevelopment ? () => false : staticFiles(options.clientFolder),
    answerRedemption: redemptionHandler(limits, whileDatabaseAnswers),
    answerByRemix: remixHandler(options.build, {
      isDevelopment,
      stallTimeoutMs: options.stallTimeoutMs ?? 60_000,
      whileDatabaseAnswers,
    }),
    /** A page takes milliseconds of the process; between two of them redemptions are read and answered. */
    nextPage: createTurns(),
    originsOf(localPort: number | undefined): Set<string> {
      const origins = originsByPort.get(localPort) ?? allowedOrigins(options.appOrigin, localPort);
      originsByPort.set(localPort, origins);
      return origins;
    },
  };
}

/**
 * Takes a request through the steps before Remix, in their order. What is cheap to refuse is refused before a byte of
 * the body is read, and nothing counts as running before it has arrived as a whole.
 * @returns why the request is rejected; null if it is answered
 */
async function answer(pipeline: Pipeline, exchange: Exchange): Promise<Rejection | null> {
  const { request, response } = exchange;
  prepare(pipeline, exchange);

  const badLine = rejectRequestLine(request);
  if (badLine) return badLine;
  // Monitors add a query against caches.
  const [target] = (request.url ?? "").split("?", 1);
  if (target === "/healthz" || target === "/readyz") return answerHealth(pipeline, exchange);
  if (target === "/metrics") return pipeline.answerMetrics(request, response);
  const origins = pipeline.originsOf(request.socket.localPort);
  const origin = requestOrigin(request, origins);
  if (origin === null)
    return { status: 400, message: `This server answers at ${[...origins][0]} only.` };
  const path = new URL(request.url ?? "/", origin).pathname;
  if (request.method === "OPTIONS") {
    response.writeHead(204, { Allow: "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS" }).end();
    return null;
  }
  if (await answerByFile(pipeline, exchange, path)) return null;
  if (!pipeline.isPrepared()) return { ...unavailable, reason: "starting" };

  const badBody = rejectByHeaders(request);
  if (badBody) return badBody;
  const [client] = networksOf(request.clientAddress);
  const call = redemptionCall(path);
  if (call) return pipeline.answerRedemption(request, response, { call, client });

  if (isCustomerPath(path) && !isCustomerPageOn()) return { status: 404, message: messageFor(404) };
  if (pipeline.limits.isSlow()) return { ...unavailable, reason: "slow" };
  if (isApiPath(path)) delete request.headers.cookie;
  else if (!isSafeMethod(request.method) && !isFromOurPages(request.headers, origins))
    return {
      status: 403,
      message:
        "This form was not sent by a page of this site. Open the page again and send it from there, with a browser that sends the Origin or Referer header.",
    };
  return answerByRoute(pipeline, { ...exchange, origin, path, client });
}

/** Sets what every answer has, and what the log and the metrics note of the request when it ends. */
function prepare(pipeline: Pipeline, { request, response, requestId, cspNonce }: Exchange): void {
  response.setHeader("X-Request-Id", requestId);
  countRequest(request, response);
  pipeline.setSecurityHeaders(request, response, cspNonce);
  dropProxyHeaders(request.headers);
  noteRefusedKey(request, response);
  pipeline.logRequest(Object.assign(request, { id: requestId }), response);
}

/** Counts a request that is refused because its key has ended or is unknown. */
function noteRefusedKey(request: Exchange["request"], response: ServerResponse): void {
  const secret = bearerOf(request.headers.authorization);
  if (!secret.startsWith("vqm_")) return;
  response.once("finish", () => {
    if (response.statusCode !== 401) return;
    const [network, site] = networksOf(request.clientAddress);
    countRefusedKey(secret, site ? `${network}::/64` : network.slice(0, 100));
  });
}

async function answerHealth({ isReady }: Pipeline, { request, response }: Exchange): Promise<null> {
  request.route = "health";
  const isWell = request.url?.startsWith("/healthz") || (await isReady());
  response.writeHead(isWell ? 200 : 503, { "Content-Type": "text/plain; charset=utf-8" });
  response.end(isWell ? "ok\n" : "not ready\n");
  return null;
}

/** @returns whether the path is that of a file */
async function answerByFile(
  { serveFile, middleware }: Pipeline,
  { request, response, cspNonce }: Exchange,
  path: string,
): Promise<boolean> {
  if (path === offlinePath && isSafeMethod(request.method)) {
    response.writeHead(200, { "Content-Type": "text/html; charset=utf-8" });
    response.end(offlinePage(cspNonce));
  } else if (!serveFile(request, response, path)) {
    if (!middleware) return false;
    // Vite's own handlers listen as well; more than ten would look like a leak to Node.
    response.setMaxListeners(30);
    return new Promise((resolve) => {
      response.once("close", () => resolve(true));
      middleware(request, response, () => resolve(false));
    });
  }
  request.route = "asset";
  return true;
}

/** Reads the body and lets Remix answer, within the limits of everything but redemptions. */
async function answerByRoute(
  pipeline: Pipeline,
  exchange: AddressedExchange,
): Promise<Rejection | null> {
  const { limits, log } = pipeline;
  const { request, response, requestId, cspNonce, origin, path, client } = exchange;
  const body = await receiveBody(exchange, pipeline);
  if (body === undefined) return null;
  if (!Buffer.isBuffer(body) && !(body instanceof StreamedBody)) return body;
  if (body instanceof StreamedBody) response.once("finish", () => void body.end());
  const entered = limits.enter(client, { isSignIn: isSignIn(request.method, path) });
  if ("status" in entered) return entered;
  try {
    if (isApiPath(path))
      for (const [name, value] of Object.entries(limits.rateLimitOf(client)))
        response.setHeader(name, value);
    await pipeline.nextPage();
    const badFields = await rejectFields(body, request.headers["content-type"] ?? "");
    if (badFields) return badFields;
    return await pipeline.answerByRemix(request, response, {
      origin,
      body,
      onAnswer: entered.leaveQueue,
      context: {
        cspNonce,
        requestId,
        clientAddress: request.clientAddress,
        userAgent: request.headers["user-agent"] ?? "",
        isPosted: !isSafeMethod(request.method),
        wasRefused: false,
        isDocument: !isDataRequest(new URL(request.url ?? "/", origin).searchParams),
        get log() {
          return log.child({ requestId });
        },
      },
    });
  } finally {
    entered.leave();
  }
}
