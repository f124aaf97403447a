import { randomBytes, randomUUID } from "node:crypto";
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { ServerBuild } from "@remix-run/node";
import type { Logger } from "pino";
import { createTurns } from "../codec/turns.server";
import { isDatabaseUnavailable } from "../db/connection.server";
import { countRefusedKey } from "../features/integrations/refused-keys.server";
import { networksOf } from "../features/sign-in/sign-in.server";
import { findBearer } from "../features/sign-in/tokens.server";
import { isSignedIn } from "../http/sessions.server";
import { rejections } from "../metrics.server";
import { resolveWithin, watchDatabase } from "./database-watch.server";
import { createKeyAdmission } from "./key-admission.server";
import { createLoadLimits, type LoadLimits } from "./load-limits.server";
import { countRequest, metricsEndpoint, type RoutedRequest } from "./metrics-endpoint.server";
import {
  readBody,
  rejectByHeaders,
  rejectFields,
  allowedOrigins,
  clientAddress,
  dropProxyHeaders,
  isApiPath,
  isFromOurPages,
  isLargeUpload,
  isSafeMethod,
  isSignIn,
  rejectRequestLine,
  requestOrigin,
  type Rejection,
  failed,
  messageFor,
  reject,
  unavailable,
} from "./request-checks.server";
import {
  bearerSecret,
  maxRedemptionBytes,
  redemptionCall,
  rejectKey,
  runRedemption,
  sendJson,
  type RedemptionCall,
} from "./redemption-api.server";
import { offlinePage, offlinePath } from "./plain-page.server";
import { remixHandler } from "./remix-handler.server";
import { createLog, logFault, requestLog, type LoggedResponse } from "./request-log.server";
import { securityHeaders } from "./security-headers.server";
import { staticFiles } from "./static-files.server";

declare module "@remix-run/server-runtime" {
  /** Facts about the request that every loader and action gets. */
  interface AppLoadContext {
    cspNonce: string;
    requestId: string;
    clientAddress: string;
    /** The header that names the browser; '' without one. */
    userAgent: string;
    /** Whether the request sent a form; loaders are given a GET after its action. */
    isPosted: boolean;
    log: Logger;
    /** The unexpected error of this request, noted by `handleError`, or why it is answered with 503. */
    fault?: unknown;
  }
}

type HttpHandlerOptions = {
  build: () => Promise<ServerBuild>;
  /** The built files that browsers get. */
  clientFolder: string;
  appOrigin: string;
  /** TRUST_PROXY, a number of hops. */
  trustProxy?: number;
  /** Whether the schema is there; before, requests are answered 503. */
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

const signedOut: Rejection = {
  status: 401,
  message: "Sign in, and then send the file again.",
};

/** Longer than a database that is well needs to say that it is ready. */
const readyTimeoutMs = 1_500;

/**
 * Everything that happens to a request before Remix sees it, in the order of its steps. What is
 * cheap to refuse is refused before a byte of the body is read, and nothing counts as running before
 * it has arrived as a whole.
 */
export function createHttpHandler(options: HttpHandlerOptions): RequestListener {
  const isDevelopment = options.middleware !== undefined;
  const log = options.log ?? createLog();
  const logRequest = requestLog(log);
  const setSecurityHeaders = securityHeaders({
    isHttps: options.appOrigin.startsWith("https:"),
    isDevelopment,
  });
  const serveFile = isDevelopment ? () => false : staticFiles(options.clientFolder);
  const limits = options.limits ?? createLoadLimits();
  const isReady = () => resolveWithin(readyTimeoutMs, options.isReady(), false);
  const answerMetrics = metricsEndpoint(options.metricsToken ?? null, isReady);
  const whileDatabaseAnswers = watchDatabase(options.isDatabaseAlive);
  const keys = createKeyAdmission((secret) => whileDatabaseAnswers(rejectKey(secret)));
  const answerByRemix = remixHandler(options.build, {
    isDevelopment,
    stallTimeoutMs: options.stallTimeoutMs ?? 60_000,
    whileDatabaseAnswers,
  });
  /** A page takes milliseconds of the process; between two of them redemptions are read and answered. */
  const nextPage = createTurns();
  const originsByPort = new Map<number | undefined, Set<string>>();

  async function answer(
    request: RoutedRequest & { clientAddress?: string },
    response: ServerResponse,
    requestId: string,
  ): Promise<Rejection | null> {
    const cspNonce = randomBytes(16).toString("base64");
    response.setHeader("X-Request-Id", requestId);
    countRequest(request, response);
    setSecurityHeaders(request, response, cspNonce);
    request.clientAddress = clientAddress(request, options.trustProxy ?? 0);
    dropProxyHeaders(request.headers);
    noteRefusedKey(request, response, request.clientAddress);
    logRequest(Object.assign(request, { id: requestId }), response);

    const badLine = rejectRequestLine(request);
    if (badLine) return badLine;
    if (request.url === "/healthz" || request.url === "/readyz")
      return answerHealth(request, response);
    if (request.url === "/metrics") {
      request.route = "metrics";
      return answerMetrics(request, response);
    }
    if (options.isPrepared?.() === false) return { ...unavailable, reason: "starting" };

    const { localPort } = request.socket;
    const origins = originsByPort.get(localPort) ?? allowedOrigins(options.appOrigin, localPort);
    originsByPort.set(localPort, origins);
    const origin = requestOrigin(request, origins);
    if (origin === null) return { status: 400, message: "This server has another name." };

    const path = new URL(request.url ?? "/", origin).pathname;
    if (request.method === "OPTIONS") {
      response.writeHead(204, { Allow: "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS" }).end();
      return null;
    }
    if (path === offlinePath && isSafeMethod(request.method)) {
      request.route = "asset";
      response.writeHead(200, { "Content-Type": "text/html; charset=utf-8" });
      response.end(offlinePage(cspNonce));
      return null;
    }
    if (serveFile(request, response, path)) {
      request.route = "asset";
      return null;
    }
    if (options.middleware && (await passToVite(request, response))) return null;

    const badBody = rejectByHeaders(request);
    if (badBody) return badBody;
    const [client] = networksOf(request.clientAddress);
    const redemption = redemptionCall(path);
    if (redemption) return answerMachine(request, response, { redemption, client });

    if (limits.isSlow()) return { ...unavailable, reason: "slow" };
    if (isApiPath(path)) delete request.headers.cookie;
    else if (!isSafeMethod(request.method) && !isFromOurPages(request.headers, origins))
      return {
        status: 403,
        message:
          "This form was not sent by a page of this site. Open the page again and send it from there, with a browser that sends the Origin or Referer header.",
      };

    if (isLargeUpload(request)) {
      const unknown = await rejectUnknownSender(request, { path, client });
      if (unknown) return unknown;
    }
    const body = await receiveBody(request, client);
    if (body === undefined) return null;
    if (!Buffer.isBuffer(body)) return body;
    const entered = limits.enter(client, { isSignIn: isSignIn(request.method, path) });
    if ("status" in entered) return entered;
    if (isApiPath(path))
      for (const [name, value] of Object.entries(limits.rateLimitOf(client)))
        response.setHeader(name, value);
    try {
      await nextPage();
      const badFields = await rejectFields(body, request.headers["content-type"] ?? "");
      if (badFields) return badFields;

      return await answerByRemix(request, response, {
        origin,
        body,
        onAnswer: entered.leaveQueue,
        context: {
          cspNonce,
          requestId,
          clientAddress: request.clientAddress,
          userAgent: request.headers["user-agent"] ?? "",
          isPosted: !isSafeMethod(request.method),
          get log() {
            return log.child({ requestId });
          },
        },
      });
    } finally {
      entered.leave();
    }
  }

  /** Counts a request that is refused because its key has ended or is unknown. */
  function noteRefusedKey(request: IncomingMessage, response: ServerResponse, address: string) {
    const secret = bearerSecret(request);
    if (!secret.startsWith("vqm_")) return;
    response.once("finish", () => {
      if (response.statusCode !== 401) return;
      const [network, site] = networksOf(address);
      countRefusedKey(secret, site ? `${network}::/64` : network.slice(0, 100));
    });
  }

  async function answerHealth(request: RoutedRequest, response: ServerResponse): Promise<null> {
    request.route = "health";
    const isWell = request.url === "/healthz" || (await isReady());
    response.writeHead(isWell ? 200 : 503, { "Content-Type": "text/plain; charset=utf-8" });
    response.end(isWell ? "ok\n" : "not ready\n");
    return null;
  }

  function passToVite(request: IncomingMessage, response: ServerResponse): Promise<boolean> {
    // Vite's own handlers listen as well; more than ten would look like a leak to Node.
    response.setMaxListeners(30);
    return new Promise((resolve) => {
      response.once("close", () => resolve(true));
      options.middleware?.(request, response, () => resolve(false));
    });
  }

  /** Answers a machine beside Remix. Its key lets it pass the limits of everything else. */
  async function answerMachine(
    request: RoutedRequest,
    response: ServerResponse,
    { redemption, client }: { redemption: RedemptionCall; client: string },
  ): Promise<Rejection | null> {
    request.route = redemption.kind === "redeem" ? "redemption" : "rollback";
    if (request.method !== "POST")
      return { status: 405, message: messageFor(405), headers: { Allow: "POST" } };
    const secret = bearerSecret(request);
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
    const answered = await whileDatabaseAnswers(
      runRedemption(redemption, {
        ...{ secret, contentType, body },
        withPlace: (work) => limits.withPlace(secret, work),
      }),
    );
    if (answered.status === 401) keys.forgetKey(secret);
    if ("message" in answered) return answered;
    sendJson(response, answered);
    return null;
  }

  /** Rejects a large file before it is read, unless its session or key is valid. */
  async function rejectUnknownSender(
    request: IncomingMessage,
    { path, client }: { path: string; client: string },
  ): Promise<Rejection | null> {
    const entered = limits.enterLookUp(client);
    if ("status" in entered) return entered;
    const isKnown = isApiPath(path)
      ? findBearer(bearerSecret(request)).then((bearer) => bearer !== null)
      : isSignedIn(request.headers.cookie);
    return (await whileDatabaseAnswers(isKnown.finally(entered.leave))) ? null : signedOut;
  }

  async function receiveBody(request: IncomingMessage, client: string) {
    if (isSafeMethod(request.method)) return Buffer.alloc(0);
    const leave = limits.unreadBodies.take(client);
    return leave ? readBody(request).finally(leave) : limits.unreadBodies.rejection;
  }

  return (request, response) => {
    const requestId = randomUUID();
    answer(request, response, requestId)
      .catch((error: unknown) => {
        // An answer that has begun keeps its status.
        if (response.headersSent || !isDatabaseUnavailable(error)) {
          logFault(log.child({ requestId }), error);
          return failed;
        }
        response.err = error as Error;
        return { ...unavailable, reason: "database" };
      })
      .then((rejection) => {
        if (!rejection) return;
        const { reason } = rejection;
        if (reason !== undefined) {
          rejections.inc({ reason });
          (response as LoggedResponse).reason = reason;
        }
        reject(request, response, requestId, rejection);
      })
      .catch((error: unknown) => {
        log.error({ err: error, requestId }, "An answer could not be sent");
        response.destroy();
      });
  };
}
