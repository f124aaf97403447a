import type { IncomingMessage, ServerResponse } from "node:http";
import type { AppLoadContext } from "@remix-run/node";
import { pino, type DestinationStream, type Logger } from "pino";
import { pinoHttp } from "pino-http";
import { isDatabaseUnavailable } from "../db/database-errors.server";
import { isCustomerPath } from "../features/customer-page/address.server";

/**
 * JSON lines. Header values, queries and bodies are never logged, since they hold cookies, tokens
 * and codes; of an error only what can't quote a row of the database.
 */
export function createLog(stream?: DestinationStream): Logger {
  const options = {
    base: null,
    redact: {
      paths: ["*.password", "*.token", "*.refresh_token", "*.cookie", "*.authorization"],
      censor: "[redacted]",
    },
    serializers: { err: describeError },
  };
  // Answers don't wait until their line is written; what is left is written at the end of the process.
  return pino(options, stream ?? pino.destination({ sync: false }));
}

/** An answer with what its line in the log tells of it: `err`, or the reason of a rejection. */
export type LoggedResponse = ServerResponse & { reason?: string };

export function requestLog(log: Logger) {
  return pinoHttp({
    logger: log,
    genReqId: (request) => request.id,
    autoLogging: {
      ignore: (request) =>
        /^\/(assets\/|healthz|readyz|metrics(\?|$)|favicon)/.test(request.url ?? ""),
    },
    wrapSerializers: false,
    quietReqLogger: true,
    serializers: {
      req: (request: IncomingMessage & { clientAddress?: string }) => ({
        method: request.method,
        path: pathWithoutCode(request.url?.split("?", 1)[0] ?? "").slice(0, 300),
        address: request.clientAddress,
        userAgent: request.headers["user-agent"]?.slice(0, 300),
      }),
      res: (response: LoggedResponse) => ({ status: response.statusCode, reason: response.reason }),
      err: describeError,
    },
    customAttributeKeys: { reqId: "requestId" },
    customLogLevel: (_request, response) => (response.statusCode >= 500 ? "error" : "info"),
    customErrorMessage: (_request, _response, error) =>
      isDatabaseUnavailable(error) ? "The database is not available" : "request errored",
    customErrorObject: (_request, response, _error, { err, ...line }) =>
      // The library makes up an error for a status without one.
      response.err ? { ...line, err } : line,
  });
}

function pathWithoutCode(path: string): string {
  return isCustomerPath(path) ? "/r/…" : path;
}

/**
 * Logs an unexpected error of Remix and keeps it for the answer. That the database is not available is
 * told by the request's own line.
 */
export function recordFault(context: AppLoadContext, error: unknown): void {
  // The absence of the database explains all other faults.
  if (!isDatabaseUnavailable(context.fault)) context.fault = error;
  if (!isDatabaseUnavailable(error)) logFault(context.log, error);
}

export function logFault(log: Logger, error: unknown): void {
  log.error({ err: error }, "A request failed");
}

function describeError(error: unknown) {
  if (!(error instanceof Error)) return { message: "Something that is no Error was thrown" };
  return {
    type: error.name,
    message: error.message,
    code: "code" in error ? error.code : undefined,
    stack: error.stack,
  };
}
