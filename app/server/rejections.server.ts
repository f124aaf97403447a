/** Answers to requests that are rejected before Remix, or that Remix could not answer. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { isDataRequest, thrownHeader } from "../remix/data-requests";
import { plainPage } from "./plain-page.server";
import { isApiPath, isSafeMethod, type Rejection } from "./request-checks.server";
import { nonceOf } from "./security-headers.server";

/** For how long what a refused client still sends is read away, in ms, so that it reads the answer. */
const lingerMs = 500;

export const unavailable: Rejection = {
  status: 503,
  message: "The server can't answer just now. Please try again in a moment.",
  headers: { "Retry-After": "2" },
};

export const failed: Rejection = { status: 500, message: "Something went wrong on our side." };

const messages: Record<number, string> = {
  400: "The request can't be read.",
  401: "Sign in first.",
  403: "You are not allowed to do this.",
  404: "There is nothing at this address.",
  405: "This method is not supported here.",
};

/** Returns the message of an API error that no handler has worded. */
export function messageFor(status: number): string {
  return messages[status] ?? (status >= 500 ? failed.message : "The request was refused.");
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
