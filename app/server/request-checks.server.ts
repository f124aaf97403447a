import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { isIP } from "node:net";
import { isDataRequest, thrownHeader } from "../remix/data-requests";
import { plainPage } from "./plain-page.server";
import { nonceOf } from "./security-headers.server";

/** Why a request is not let in. */
export type Rejection = {
  status: number;
  /** A sentence for people. */
  message: string;
  headers?: Record<string, string>;
  /** Names the limit that the request met or what was missing, for log and metrics. */
  reason?: string;
};

const methods = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);
const safeMethods = new Set(["GET", "HEAD", "OPTIONS"]);

export function isSafeMethod(method: string | undefined): boolean {
  return safeMethods.has(method ?? "");
}

/** The method, and a request target that every part of the server reads in the same way. */
export function rejectRequestLine(request: IncomingMessage): Rejection | null {
  if (!methods.has(request.method ?? ""))
    return {
      status: 405,
      message: "This method is not supported.",
      headers: { Allow: [...methods].join(", ") },
    };
  // Absolute addresses are for proxies, and they carry a host of their own.
  if (!/^\/[\x21-\x5b\x5d-\x7e]*$/.test(request.url ?? "")) return badAddress;
  const path = request.url?.split("?", 1)[0] ?? "";
  if (path.includes("//")) return badAddress;
  try {
    if (decodeURIComponent(path).includes("\0")) return badAddress;
  } catch {
    return badAddress;
  }
  return null;
}

const badAddress: Rejection = { status: 400, message: "This address can't be read." };

const loopbackNames = ["localhost", "127.0.0.1", "[::1]"];

/**
 * The origins under which this server may be addressed: APP_ORIGIN, and when that is this very
 * machine, its other names with the port of the origin or the one really listened on.
 */
export function allowedOrigins(appOrigin: string, localPort: number | undefined): Set<string> {
  const { protocol, hostname, port, origin } = new URL(appOrigin);
  const origins = new Set([origin]);
  if (!loopbackNames.includes(hostname)) return origins;
  for (const name of loopbackNames)
    for (const somePort of [port, String(localPort ?? port)])
      origins.add(new URL(`${protocol}//${name}:${somePort}`).origin);
  return origins;
}

/** @returns the origin that the Host header names, when it is an allowed one */
export function requestOrigin(request: IncomingMessage, allowed: Set<string>): string | null {
  const hosts = request.rawHeaders.filter((name, at) => at % 2 === 0 && /^host$/i.test(name));
  const host = request.headers.host ?? "";
  if (hosts.length !== 1 || !/^[a-z0-9.:[\]-]{1,255}$/i.test(host)) return null;
  const named = [...allowed].find((origin) => {
    const address = `${new URL(origin).protocol}//${host}`;
    return URL.canParse(address) && new URL(address).origin === origin;
  });
  return named ?? null;
}

/**
 * Tells whether a page of ours sent an unsafe request. Browsers say so by Sec-Fetch-Site, old ones and
 * curl by Origin, and w3m, lynx and NetSurf by Referer alone.
 */
export function isFromOurPages(headers: IncomingHttpHeaders, allowed: Set<string>): boolean {
  const { "sec-fetch-site": site, origin, referer = "" } = headers;
  if (origin !== undefined && !allowed.has(origin)) return false;
  if (site !== undefined) return site === "same-origin";
  return origin !== undefined || (URL.canParse(referer) && allowed.has(new URL(referer).origin));
}

/**
 * The address of the client, before any proxy header is dropped.
 * @param hops how many proxies in front are ours (TRUST_PROXY); each has appended one address
 */
export function clientAddress(request: IncomingMessage, hops: number): string {
  const forwarded = String(request.headers["x-forwarded-for"] ?? "")
    .split(",")
    .map((address) => address.trim())
    .filter(Boolean);
  const chain = [...forwarded, request.socket.remoteAddress ?? ""];
  return readAddress(chain[Math.max(0, chain.length - 1 - hops)]!);
}

/**
 * Reads an address as proxies write it, with or without a port. Text that is none stays as it is, so
 * that clients with different texts don't share one limit.
 */
function readAddress(text: string): string {
  const inner = /^\[(.*)\](?::\d+)?$/.exec(text)?.[1] ?? text;
  const address = isIP(inner) ? inner : inner.replace(/:\d+$/, "");
  return isIP(address) ? address.replace(/^::ffff:(?=\d+\.)/i, "") : text.slice(0, 64);
}

/** Removes proxy headers, so that nothing behind the pipeline can trust them. */
export function dropProxyHeaders(headers: IncomingHttpHeaders): void {
  for (const name of Object.keys(headers))
    if (name === "forwarded" || name.startsWith("x-forwarded-") || name === "x-original-url")
      delete headers[name];
}

/** Tells whether a path belongs to the JSON API, which knows bearer tokens only and never gets cookies. */
export function isApiPath(path: string): boolean {
  return /^\/(api|auth|users|file|products)(\/|$)/.test(path);
}

/** Tells whether a request tries a password; the router finds a route whatever the case of its path. */
export function isSignIn(method: string | undefined, path: string): boolean {
  return !isSafeMethod(method) && /^\/(login|auth\/signin\/local)\/?$/i.test(decodeURI(path));
}

/** Room for a form that lists 2,000 machines twice, once as shown and once as chosen. */
const maxBodyBytes = 256 * 1024;
/** Room for a photo of 2 MiB and the fields beside it. */
const maxUploadBytes = 2_300_000;
const maxFields = 5_000;
const maxParts = 10;

const tooLarge: Rejection = { status: 413, message: "That is more than this server accepts." };
const unreadable: Rejection = { status: 400, message: "The form can't be read." };
const bodyTypes =
  /^(application\/x-www-form-urlencoded|multipart\/form-data|application\/json)\s*(;|$)/i;

/** The form and the call that upload a photo. */
const uploadPath = /^\/(app\/user\/edit\/profile|file\/upload\/users\/avatar)\/?(\?|$)/i;

/** Returns how many bytes the body of a request may have. */
function maxBytesOf({ url = "", headers }: IncomingMessage): number {
  const isUpload =
    uploadPath.test(url) && /^multipart\/form-data\b/i.test(headers["content-type"] ?? "");
  return isUpload ? maxUploadBytes : maxBodyBytes;
}

/**
 * Tells whether the body may be larger than a form of a stranger: the sender of such a file is looked up before it is
 * read. The length of a body in chunks is not known before.
 */
export function isLargeUpload(request: IncomingMessage): boolean {
  const length = Number(request.headers["content-length"] ?? maxUploadBytes);
  return maxBytesOf(request) > maxBodyBytes && length > maxBodyBytes;
}

const rejectionOf = (maxBytes: number): Rejection =>
  maxBytes === maxUploadBytes ? { ...tooLarge, message: "File is too big." } : tooLarge;

/** Rejects a request by its headers alone, before any of its body is read. */
export function rejectByHeaders(request: IncomingMessage): Rejection | null {
  const { headers } = request;
  const length = headers["content-length"];
  const hasBody = headers["transfer-encoding"] !== undefined || (length ?? "0") !== "0";
  if (!hasBody) return null;
  if (isSafeMethod(request.method))
    return { status: 400, message: "This kind of request can't have a body." };
  const maxBytes = maxBytesOf(request);
  if (Number(length ?? 0) > maxBytes) return rejectionOf(maxBytes);
  if (!bodyTypes.test(headers["content-type"] ?? "") || headers["content-encoding"] !== undefined)
    return { status: 415, message: "Send a form or JSON." };
  return null;
}

/**
 * Reads the body, counting: what Content-Length promises is not believed.
 * @returns undefined when the client went away
 */
export async function readBody(
  request: IncomingMessage,
  maxBytes = maxBytesOf(request),
): Promise<Buffer | Rejection | undefined> {
  // Its events are over when the client went away earlier.
  if (request.destroyed) return undefined;
  const chunks: Buffer[] = [];
  let bytes = 0;
  return new Promise((resolve) => {
    const onData = (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= maxBytes) return void chunks.push(chunk);
      request.off("data", onData);
      resolve(rejectionOf(maxBytes));
    };
    request.on("data", onData);
    request.once("end", () => resolve(Buffer.concat(chunks)));
    request.once("error", () => resolve(undefined));
    request.once("close", () => resolve(undefined));
  });
}

/**
 * Parts, fields and their names, before a form library builds objects from them: one short name
 * (`x[100000000]`) blocked the process for most of a minute.
 */
export async function rejectFields(body: Buffer, contentType: string): Promise<Rejection | null> {
  if (/^application\/json/i.test(contentType) || body.length === 0) return null;
  const names = /^multipart/i.test(contentType)
    ? await multipartNames(body, contentType)
    : urlencodedNames(body);
  return names === null || names.some(isHostileFieldName) ? unreadable : null;
}

function urlencodedNames(body: Buffer): string[] | null {
  const text = body.toString("utf8");
  return text.split("&", maxFields + 1).length > maxFields
    ? null
    : [...new URLSearchParams(text).keys()];
}

async function multipartNames(body: Buffer, contentType: string): Promise<string[] | null> {
  const boundary = /;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(contentType);
  const mark = boundary?.[1] ?? boundary?.[2];
  if (mark === undefined) return null;
  // The last of the marks closes the last part.
  if (body.toString("latin1").split(`--${mark}`, maxParts + 3).length > maxParts + 2) return null;
  try {
    const form = await new Response(new Uint8Array(body), {
      headers: { "Content-Type": contentType },
    }).formData();
    return [...form.keys()];
  } catch {
    return null;
  }
}

function isHostileFieldName(name: string): boolean {
  if (name.length > 200) return true;
  const path = name.split(/[.[\]]+/).filter(Boolean);
  return (
    path.length > 4 ||
    path.some((step) => ["__proto__", "constructor", "prototype"].includes(step)) ||
    [...name.matchAll(/\[(\d+)/g)].some(([, index]) => Number(index) > 1_000)
  );
}

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
