import { randomBytes, randomUUID } from "node:crypto";
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { ServerBuild } from "@remix-run/node";
import type { Logger } from "pino";
import { isDatabaseUnavailable } from "../db/connection.server";
import {
  readBody,
  rejectByHeaders,
  rejectFields,
  allowedOrigins,
  clientAddress,
  dropProxyHeaders,
  isApiPath,
  isFromOurPages,
  isSafeMethod,
  rejectRequestLine,
  requestOrigin,
  type Rejection,
  failed,
  reject,
  unavailable,
} from "./request-checks.server";
import { answerRedemption, redemptionCall } from "./redemption-api.server";
import { remixHandler } from "./remix-handler.server";
import { createLog, logFault, requestLog } from "./request-log.server";
import { securityHeaders } from "./security-headers.server";
import { staticFiles } from "./static-files.server";
import { monitorEventLoopDelay } from "node:perf_hooks";

declare module "@remix-run/server-runtime" {
  /** Facts about the request that every loader and action gets. */
  interface AppLoadContext {
    cspNonce: string;
    requestId: string;
    clientAddress: string;
    log: Logger;
    /** The unexpected error of this request, noted by `handleError`. */
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
  /** Whether the database answers and its schema is current. */
  isReady: () => Promise<boolean>;
  /** Vite, in development: it serves the files then, and the policy for scripts is looser. */
  middleware?: (request: IncomingMessage, response: ServerResponse, next: () => void) => void;
  log?: Logger;
  /** After so many ms without a byte taken, a client that is being answered is cut off. */
  stallTimeoutMs?: number;
};

/**
 * Everything that happens to a request before Remix sees it, in the order of its steps. What is
 * cheap to refuse is refused before a byte of the body is read.
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
  const shedder = loadShedder();
  const answerByRemix = remixHandler(options.build, {
    isDevelopment,
    stallTimeoutMs: options.stallTimeoutMs ?? 60_000,
  });
  const originsByPort = new Map<number | undefined, Set<string>>();

  async function answer(
    request: IncomingMessage & { clientAddress?: string },
    response: ServerResponse,
    requestId: string,
  ): Promise<Rejection | null> {
    const cspNonce = randomBytes(16).toString("base64");
    response.setHeader("X-Request-Id", requestId);
    setSecurityHeaders(request, response, cspNonce);
    request.clientAddress = clientAddress(request, options.trustProxy ?? 0);
    dropProxyHeaders(request.headers);
    logRequest(Object.assign(request, { id: requestId }), response);

    const badLine = rejectRequestLine(request);
    if (badLine) return badLine;
    if (await answerHealth(request, response)) return null;

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
    if (serveFile(request, response, path)) return null;
    if (options.middleware && (await passToVite(request, response))) return null;

    const badBody = rejectByHeaders(request);
    if (badBody) return badBody;
    if (shedder.isOverloaded()) return unavailable;
    if (isApiPath(path)) delete request.headers.cookie;
    else if (!isSafeMethod(request.method) && !isFromOurPages(request.headers, origins))
      return {
        status: 403,
        message:
          "This form was not sent by a page of this site. Open the page again and send it from there, with a browser that sends the Origin or Referer header.",
      };

    const redemption = redemptionCall(path);
    if (redemption) {
      shedder.enter(response);
      return answerRedemption(request, response, redemption).catch((error: unknown) => {
        logFault(log.child({ requestId }), error);
        return isDatabaseUnavailable(error) ? unavailable : failed;
      });
    }

    const body = isSafeMethod(request.method) ? Buffer.alloc(0) : await readBody(request);
    if (body === undefined) return null;
    if (!Buffer.isBuffer(body)) return body;
    const badFields = await rejectFields(body, request.headers["content-type"] ?? "");
    if (badFields) return badFields;

    return answerByRemix(request, response, {
      origin,
      body,
      onAnswer: shedder.enter(response),
      context: {
        cspNonce,
        requestId,
        clientAddress: request.clientAddress,
        log: log.child({ requestId }),
      },
    });
  }

  async function answerHealth(request: IncomingMessage, response: ServerResponse) {
    if (request.url !== "/healthz" && request.url !== "/readyz") return false;
    const isWell = request.url === "/healthz" || (await options.isReady().catch(() => false));
    response.writeHead(isWell ? 200 : 503, { "Content-Type": "text/plain; charset=utf-8" });
    response.end(isWell ? "ok\n" : "not ready\n");
    return true;
  }

  function passToVite(request: IncomingMessage, response: ServerResponse): Promise<boolean> {
    // Vite's own handlers listen as well; more than ten would look like a leak to Node.
    response.setMaxListeners(30);
    return new Promise((resolve) => {
      response.once("close", () => resolve(true));
      options.middleware?.(request, response, () => resolve(false));
    });
  }

  return (request, response) => {
    const requestId = randomUUID();
    answer(request, response, requestId)
      .catch((error: unknown) => {
        log.error({ err: error, requestId }, "The HTTP pipeline failed");
        return failed;
      })
      .then((rejection) => {
        if (rejection) reject(request, response, requestId, rejection);
      })
      .catch((error: unknown) => {
        log.error({ err: error, requestId }, "An answer could not be sent");
        response.destroy();
      });
  };
}

const maxWaiting = 150;
const maxDelayMs = 250;
const windowMs = 1_000;

/** Turns requests away while more come than can be answered, so that those let in are answered. */
function loadShedder() {
  let waiting = 0;
  let isSlow = false;

  const delay = monitorEventLoopDelay({ resolution: 20 });
  delay.enable();
  // The median: one long task is no overload, but every turn of the loop being slow is.
  setInterval(() => {
    isSlow = delay.percentile(50) / 1e6 > maxDelayMs;
    delay.reset();
  }, windowMs).unref();

  return {
    isOverloaded: () => isSlow || waiting >= maxWaiting,
    /** @returns to be called when the answer begins; a long download then no longer counts */
    enter(response: ServerResponse): () => void {
      waiting += 1;
      let isWaiting = true;
      const leave = () => {
        if (isWaiting) waiting -= 1;
        isWaiting = false;
      };
      response.once("close", leave);
      return leave;
    },
  };
}
