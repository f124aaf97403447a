import { failed, messageFor, type Rejection } from "../http/rejection.server";
import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable, type Transform } from "node:stream";
import type { ReadableStream } from "node:stream/web";
import { createRequestHandler, type AppLoadContext, type ServerBuild } from "@remix-run/node";
import { matchRoutes } from "@remix-run/react";
import { isDatabaseUnavailable } from "../db/database-errors.server";
import { recordWrite } from "../db/replica.server";
import type { watchDatabase } from "./database-watch.server";
import type { RoutedRequest } from "./metrics-endpoint.server";
import { isOwnPath } from "../http/guards.server";
import { dataRouteId, redirectHeader } from "../remix/data-requests";
import { databaseRejection } from "./rejections.server";
import { isApiPath, isSafeMethod } from "./request-checks.server";
import { StreamedBody } from "./request-body.server";
import { pipeline } from "node:stream/promises";
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from "node:zlib";
import { promisify } from "node:util";

type RemixRequest = {
  /** One of our own, as the client named it. */
  origin: string;
  body: Buffer | StreamedBody;
  context: AppLoadContext;
  onAnswer: () => void;
};

type RemixHandlerOptions = {
  /** The build may change from one request to the next. */
  isDevelopment: boolean;
  /** After so many ms without a byte taken, the client counts as gone. */
  stallTimeoutMs: number;
  whileDatabaseAnswers: ReturnType<typeof watchDatabase>;
};

/**
 * Hands requests to Remix. Works no faster than the client reads, and stops when it has gone
 * (Remix's own adapter does neither).
 * @returns a handler that answers, or says why it can't
 */
export function remixHandler(
  build: () => Promise<ServerBuild>,
  { isDevelopment, stallTimeoutMs, whileDatabaseAnswers }: RemixHandlerOptions,
) {
  let handler: ReturnType<typeof newHandler> | undefined;
  const newHandler = async () => {
    const current = await build();
    return {
      handle: createRequestHandler(current, isDevelopment ? "development" : "production"),
      routeOf: routeFinder(current.routes),
    };
  };

  return async (
    request: RoutedRequest,
    response: ServerResponse,
    { origin, body, context, onAnswer }: RemixRequest,
  ): Promise<Rejection | null> => {
    const hangUp = new AbortController();
    response.once("close", () => {
      if (!response.writableFinished) hangUp.abort();
    });

    const url = new URL(request.url ?? "/", origin);
    const { handle, routeOf } = await (isDevelopment ? newHandler() : (handler ??= newHandler()));
    request.route = routeOf(url);
    const work = handle(
      new Request(url, {
        method: request.method,
        headers: requestHeaders(request, url),
        ...bodyInit(body),
        signal: hangUp.signal,
      }),
      context,
    ).then(async (answer) => {
      if (context.isPosted && context.userId !== undefined) await recordWrite(context.userId);
      return answer;
    });
    const answer = await whileDatabaseAnswers(work).catch((error: unknown) => {
      hangUp.abort();
      work.then((late) => late.body?.cancel()).catch(() => {});
      throw error;
    });

    // Its line in the log tells why a 503 was answered; other faults have a line of their own.
    if (answer.status === 503 || isDatabaseUnavailable(context.fault))
      response.err = context.fault as Error | undefined;
    // Remix doesn't name the methods of a route that has no action.
    if (answer.status === 405 && !answer.headers.has("Allow"))
      response.setHeader("Allow", "GET, HEAD");
    const rejection = apiRejection(answer, url, context);
    if (rejection || response.destroyed) {
      await answer.body?.cancel();
      return response.destroyed ? null : rejection;
    }
    onAnswer();
    response.setTimeout(stallTimeoutMs, () => response.destroy());
    await send(request, response, answer).catch((error: unknown) => {
      if (!hangUp.signal.aborted) throw error;
    });
    return null;
  };
}

/** Makes a function that returns the id of the route which answers an address; 'other' if there is none. */
function routeFinder(routes: ServerBuild["routes"]) {
  const childrenOf = (parent: string | undefined): Parameters<typeof matchRoutes>[0] =>
    Object.values(routes)
      .filter(({ parentId }) => parentId === parent)
      .map(({ id, path, index, caseSensitive }) =>
        index
          ? { id, path, index, caseSensitive }
          : { id, path, caseSensitive, children: childrenOf(id) },
      );
  const tree = childrenOf(undefined);
  return ({ pathname, searchParams }: URL): string => {
    const id = dataRouteId(searchParams);
    if (id !== null) return Object.hasOwn(routes, id) ? id : "other";
    return matchRoutes(tree, pathname)?.at(-1)?.route.id ?? "other";
  };
}

function bodyInit(body: Buffer | StreamedBody): RequestInit & { duplex?: "half" } {
  if (body instanceof StreamedBody)
    return { body: body.stream as unknown as BodyInit, duplex: "half" };
  return { body: body.length > 0 ? new Uint8Array(body) : null };
}

/** Remix compares Origin with Host once more; ours were compared before, and may be two names of one. */
function requestHeaders(request: IncomingMessage, url: URL): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers))
    for (const one of [value].flat()) if (one !== undefined) headers.append(name, one);
  headers.set("Host", url.host);
  if (headers.has("Origin")) headers.set("Origin", url.origin);
  // A post without a body is an empty form; its fields can only be read with a type.
  if (!isSafeMethod(request.method) && !headers.has("Content-Type"))
    headers.set("Content-Type", "application/x-www-form-urlencoded");
  return headers;
}

function apiRejection(answer: Response, url: URL, context: AppLoadContext): Rejection | null {
  // A screen may answer the absence of the database itself, with 503.
  const rejection = answer.status === 500 ? databaseRejection(context.fault) : null;
  if (rejection) return rejection;

  const target = answer.headers.get("Location") ?? answer.headers.get(redirectHeader);
  if (target !== null && !isOwnPath(target)) {
    context.log.error("A redirect that leaves this site was stopped");
    return failed;
  }
  // Remix's own error pages are not answers of the API (RULES L6).
  const isOurs =
    answer.headers.get("Content-Type")?.startsWith("application/json") &&
    !answer.headers.has("X-Remix-Error");
  if (isApiPath(url.pathname) && answer.status >= 400 && !isOurs)
    return { status: answer.status, message: messageFor(answer.status) };
  return null;
}

const bodies = new WeakMap<Response, Buffer>();

/** Keeps the body of a page beside its answer: through a web stream it would be copied three times. */
export function bufferBody(answer: Response, body: Buffer): void {
  bodies.set(answer, body);
}

/** Pages and data are complete already; only files are sent while they are being made. */
const isWhole = /^(text\/html|application\/json)/;

async function send(request: IncomingMessage, response: ServerResponse, answer: Response) {
  response.statusCode = answer.status;
  for (const [name, value] of answer.headers)
    if (name !== "set-cookie") response.setHeader(name, value);
  const cookies = answer.headers.getSetCookie();
  if (cookies.length > 0) response.setHeader("Set-Cookie", cookies);

  const contentType = answer.headers.get("Content-Type") ?? "";
  const canCompress = compressible.test(contentType) && !answer.headers.has("Content-Encoding");
  if (canCompress) response.appendHeader("Vary", "Accept-Encoding");
  const page = bodies.get(answer);
  if (page) omitKeepAlive(response);
  if (request.method === "HEAD" || (answer.body === null && !page)) return void response.end();

  const encoding = canCompress ? acceptedEncoding(request.headers["accept-encoding"]) : null;
  if (page || isWhole.test(contentType))
    return sendWhole(response, page ?? Buffer.from(await answer.arrayBuffer()), encoding);
  return sendStream(response, Readable.fromWeb(answer.body as ReadableStream), encoding);
}

/** Leaves out that the connection is kept alive, as HTTP has it unless an answer says that it closes. */
export function omitKeepAlive(response: ServerResponse): void {
  if (response.shouldKeepAlive && !response.hasHeader("connection"))
    response.removeHeader("connection");
}

export type Encoding = "br" | "gzip";

/** Below this many bytes compression gains nothing. */
const WORTHWHILE_BYTES = 1_024;
/** Time in ms after which the compressed bytes so far are sent, while the rest is being made. */
const FLUSH_MS = 5;
const brotli = (quality: number) => ({ params: { [constants.BROTLI_PARAM_QUALITY]: quality } });
/** A list page has 7 % fewer bytes than with quality 4, for 0.3 ms more. */
const pageBrotli = brotli(5);
/** Exports are long and repeat themselves: speed counts. */
const streamBrotli = brotli(4);

const compressible = /^(text\/(?!event-stream)|application\/(json|manifest\+json)|image\/svg\+xml)/;

export function acceptedEncoding(acceptEncoding: string | undefined): Encoding | null {
  const accepted = new Map<string, number>();
  for (const part of (acceptEncoding ?? "").toLowerCase().split(",")) {
    const [name = "", ...parameters] = part.split(";").map((text) => text.trim());
    const quality = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2);
    accepted.set(name, quality === undefined ? 1 : Number(quality));
  }
  const everything = accepted.get("*") ?? 0;
  return (["br", "gzip"] as const).find((name) => (accepted.get(name) ?? everything) > 0) ?? null;
}

async function sendWhole(response: ServerResponse, body: Buffer, encoding: Encoding | null) {
  let content = body;
  if (encoding !== null && body.length >= WORTHWHILE_BYTES) {
    response.setHeader("Content-Encoding", encoding);
    content =
      encoding === "br"
        ? await promisify(brotliCompress)(body, pageBrotli)
        : await promisify(gzip)(body);
  }
  response.setHeader("Content-Length", content.length);
  response.end(content);
}

async function sendStream(response: ServerResponse, body: Readable, encoding: Encoding | null) {
  if (encoding === null) return pipeline(body, response);
  response.setHeader("Content-Encoding", encoding);
  response.removeHeader("Content-Length");
  const compressor = encoding === "br" ? createBrotliCompress(streamBrotli) : createGzip();
  const finished = pipeline(body, compressor, response);
  body.on("data", flushSoon(compressor));
  return finished;
}

function flushSoon(compressor: Transform & { flush(): void }): () => void {
  let timer: NodeJS.Timeout | undefined;
  compressor.once("finish", () => clearTimeout(timer)).once("close", () => clearTimeout(timer));
  return () => {
    timer ??= setTimeout(() => {
      timer = undefined;
      if (!compressor.writableEnded) compressor.flush();
    }, FLUSH_MS);
  };
}
