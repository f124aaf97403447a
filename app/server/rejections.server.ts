/** Answers to requests that are rejected before Remix, or that Remix could not answer. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { isDataRequest, thrownHeader } from "../remix/data-requests";
import { plainPage } from "./plain-page.server";
import { isDatabaseUnavailable, isDeadlock } from "../db/database-errors.server";
import { type Rejection, unavailable } from "../http/rejection.server";
import { isApiPath, isSafeMethod } from "./request-checks.server";
import { nonceOf } from "./security-headers.server";

/** For how long what a refused client still sends is read away, in ms, so that it reads the answer. */
const lingerMs = 500;

/** Returns the 503 for an error of the database after which the same request may work; null for other errors. */
export function databaseRejection(error: unknown): Rejection | null {
  if (isDatabaseUnavailable(error)) return { ...unavailable, reason: "database" };
  return isDeadlock(error) ? { ...unavailable, reason: "contention" } : null;
}

/** Answers without Remix: JSON to API clients, text to our own scripts, else a plain page. */
export function reject(
  request: IncomingMessage,
  response: ServerResponse,
  requestId: string,
  { status, message, headers = {} }: Rejection,
): void {
  if (response.headersSent) return void response.destroy();
  const { pathname, searchParams } = addressOf(request);
  // Our own scripts then take it for an answer that was thrown, not for data.
  if (isDataRequest(searchParams)) response.setHeader(thrownHeader, "yes");
  const [type, body] = isApiPath(pathname)
    ? ["application/json", JSON.stringify({ error: message })]
    : isDataRequest(searchParams)
      ? ["text/plain", message]
      : ["text/html", refusalPage(request, response, { status, message, requestId })];

  const content = Buffer.from(body);
  response.removeHeader("ETag");
  response.removeHeader("Content-Encoding");
  response.writeHead(status, {
    ...headers,
    "Content-Type": `${type}; charset=utf-8`,
    "Content-Length": content.length,
    ...(request.complete ? {} : { Connection: "close" }),
  });
  if (request.complete || request.method === "HEAD") return void response.end(content);

  // Closing while the client still sends would reset the connection and lose this answer.
  response.write(content);
  const close = () => response.end();
  const timer = setTimeout(close, lingerMs);
  request.once("close", () => clearTimeout(timer)).once("end", close);
  request.resume();
}

function addressOf(request: IncomingMessage): URL {
  const anywhere = "http://local.invalid";
  return new URL(URL.canParse(request.url ?? "/", anywhere) ? request.url! : "/", anywhere);
}

function refusalPage(
  { method }: IncomingMessage,
  response: ServerResponse,
  { status, message, requestId }: { status: number; message: string; requestId: string },
): string {
  const home = { to: "/", label: "Back to Home" };
  // A link would not send a form again.
  const canRetry = (status >= 500 || status === 429) && isSafeMethod(method);
  return plainPage(nonceOf(response), {
    status,
    title: message,
    text: `Request ${requestId}`,
    links: canRetry ? [{ to: "", label: "Try again" }, home] : [home],
  });
}
