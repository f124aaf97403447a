import type { IncomingMessage, ServerResponse } from "node:http";
import { isApiPath, type Rejection } from "./request-checks.server";

/** How long to wait before the same request may work, in seconds. */
const RETRY_AFTER_SECONDS = "2";

/** For how long what a refused client still sends is read away, in ms, so that it reads the answer. */
const LINGER_MS = 500;

export const unavailable: Rejection = {
  status: 503,
  message: "The server can't answer just now. Please try again in a moment.",
  headers: { "Retry-After": RETRY_AFTER_SECONDS },
};

export const failed: Rejection = { status: 500, message: "Something went wrong on our side." };

const sentences: Record<number, string> = {
  400: "The request can't be read.",
  401: "Sign in first.",
  403: "You are not allowed to do this.",
  404: "There is nothing at this address.",
  405: "This method is not supported here.",
};

/** Returns the message of an API error that no handler has worded. */
export function messageFor(status: number): string {
  return sentences[status] ?? (status >= 500 ? failed.message : "The request was refused.");
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
  if (searchParams.has("_data")) response.setHeader("X-Remix-Catch", "yes");
  const [type, body] = isApiPath(pathname)
    ? ["application/json; charset=utf-8", JSON.stringify({ error: message })]
    : searchParams.has("_data")
      ? ["text/plain; charset=utf-8", message]
      : ["text/html; charset=utf-8", page(message, requestId)];

  const content = Buffer.from(body);
  response.removeHeader("ETag");
  response.removeHeader("Content-Encoding");
  response.writeHead(status, {
    ...headers,
    "Content-Type": type,
    "Content-Length": content.length,
    ...(request.complete ? {} : { Connection: "close" }),
  });
  if (request.complete || request.method === "HEAD") return void response.end(content);

  // Closing while the client still sends would reset the connection and lose this answer.
  response.write(content);
  const close = () => response.end();
  const timer = setTimeout(close, LINGER_MS);
  request.once("close", () => clearTimeout(timer)).once("end", close);
  request.resume();
}

function addressOf(request: IncomingMessage): URL {
  const anywhere = "http://local.invalid";
  return new URL(URL.canParse(request.url ?? "/", anywhere) ? request.url! : "/", anywhere);
}

function page(message: string, requestId: string): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${message} - Promo Console</title></head>
<body><main><h1>${message}</h1><p>Request ${requestId}</p><p><a href="/">Back to Home</a></p></main></body>
</html>
`;
}
