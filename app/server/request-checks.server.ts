/** Checks of a request's line and headers: method, address, host, origin and proxies. */
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { isIP } from "node:net";
import type { Rejection } from "../http/rejection.server";

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
  const isPage = /^\/api\/docs(\/|$)/.test(path);
  return !isPage && /^\/(api|auth|users|file|products)(\/|$)/.test(path);
}

/** Tells whether a request tries a password; the router finds a route whatever the case of its path. */
export function isSignIn(method: string | undefined, path: string): boolean {
  return !isSafeMethod(method) && /^\/(login|auth\/signin\/local)\/?$/i.test(decodeURI(path));
}
