/** Limits of bodies and forms, checked before a library reads them. */
import { maxBodyBytes, maxFormFields, type Rejection } from "../http/rejection.server";
import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";
import { findBearer } from "../features/sign-in/tokens.server";
import { bearerOf } from "../http/guards.server";
import { maxImportBytes } from "../features/imports/import";
import { invalidFields } from "../errors";
import { allowSlowBody } from "./listen.server";
import { isSignedIn } from "../http/sessions.server";
import type { watchDatabase } from "./database-watch.server";
import type { LoadLimits } from "./load-limits.server";
import { isApiPath, isSafeMethod } from "./request-checks.server";

/** Room for a picture of 2 MiB and the fields beside it. */
const maxUploadBytes = 2_300_000;
/** Room for the fields and the marks around the file of an import. */
const maxStreamBytes = maxImportBytes + 100_000;
const maxParts = 50;

const tooLarge: Rejection = { status: 413, message: "That is more than this server accepts." };
const unknownType = "Send JSON with Content-Type: application/json, or a form.";
const unreadable: Rejection = { status: 400, message: "The form can't be read." };
/**
 * A parameter of a type that all readers of the header understand alike. Undici takes what follows a comma for another type,
 * a backslash for an escape, and letters beyond ASCII as UTF-8: the parts of a form would be counted by one boundary and
 * parsed by another.
 */
const parameter = /[ \t]*;[ \t]*[\w.*-]+=(?:[!#-+\--:<-[\]-~]+|"[ !#-:<-[\]-~]+")/;
const bodyTypes = new RegExp(
  `^(application/x-www-form-urlencoded|multipart/form-data|application/json)(${parameter.source})*([ \\t]*;)?$`,
  "i",
);
const boundaryParameter = /;[ \t]*boundary=(?:"([^"]+)"|([^\s;]+))/i;

/** The forms and the call that upload a picture. */
const uploadPath =
  /^\/(app\/(settings|user\/(edit\/profile|new))|app\/users\/\d+\/edit|file\/upload\/users\/avatar)\/?(\?|$)/i;

/** The form and the calls that take a file in while it arrives. */
const streamedForm = /^\/app\/imports\/new\/?(\?|$)/i;
const streamedCall = /^\/api\/imports\/[a-z]+\/?(\?|$)/i;

/** Tells whether the body is handed on while it arrives, so that it takes no memory. */
function isStreamed({ method, url = "", headers }: IncomingMessage): boolean {
  const type = headers["content-type"] ?? "";
  return (
    method === "POST" &&
    ((streamedForm.test(url) && /^multipart\/form-data\b/i.test(type)) ||
      (streamedCall.test(url) && csvType.test(type)))
  );
}

const csvType = /^text\/csv\s*(;|$)/i;

function maxBytesOf(request: IncomingMessage): number {
  if (isStreamed(request)) return maxStreamBytes;
  const { url = "", headers } = request;
  const isUpload =
    uploadPath.test(url) && /^multipart\/form-data\b/i.test(headers["content-type"] ?? "");
  return isUpload ? maxUploadBytes : maxBodyBytes;
}

/** Tells whether the body may be larger than a form. The length of a body in chunks is not known before. */
function isLargeUpload(request: IncomingMessage): boolean {
  const length = Number(request.headers["content-length"] ?? maxUploadBytes);
  return maxBytesOf(request) > maxBodyBytes && length > maxBodyBytes;
}

const rejectionOf = (maxBytes: number): Rejection =>
  maxBytes > maxBodyBytes ? { ...tooLarge, message: "File is too big." } : tooLarge;

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
  const isKnownType = bodyTypes.test(headers["content-type"] ?? "") || isStreamed(request);
  if (headers["content-encoding"] !== undefined)
    return { status: 415, message: "Send the body without a Content-Encoding." };
  if (isKnownType) return null;
  const isForFile = streamedCall.test(request.url ?? "");
  return { status: 415, message: isForFile ? "Send text/csv." : unknownType };
}

type Sender = {
  request: IncomingMessage;
  path: string;
  /** The network by which the client is limited. */
  client: string;
};
type Lookups = {
  limits: LoadLimits;
  whileDatabaseAnswers: ReturnType<typeof watchDatabase>;
};

/** A body that is handed on while it arrives. */
export class StreamedBody {
  readonly #request: IncomingMessage;
  readonly stream: ReadableStream<Uint8Array>;

  constructor(request: IncomingMessage) {
    this.#request = request;
    this.stream = Readable.toWeb(Readable.from(limited(request))) as ReadableStream<Uint8Array>;
  }

  /** Reads away what nobody wanted, so that the client reads the answer. */
  async end(): Promise<void> {
    await this.stream.cancel().catch(() => {});
    this.#request.resume();
  }
}

/**
 * Reads the body of a request, within the limits of its client. The sender of a large file is looked up before.
 * @returns undefined when the client went away
 */
export async function receiveBody(
  sender: Sender,
  lookups: Lookups,
): Promise<Buffer | StreamedBody | Rejection | undefined> {
  const { request, client } = sender;
  if (isSafeMethod(request.method)) return Buffer.alloc(0);
  if (isStreamed(request) || isLargeUpload(request)) {
    const rejection = await rejectUnknownSender(sender, lookups);
    if (rejection) return rejection;
    allowSlowBody(request);
  }
  if (isStreamed(request)) return new StreamedBody(request);
  const leave = lookups.limits.unreadBodies.take(client);
  return "status" in leave ? leave : readBody(request).finally(leave);
}

/** @throws DomainError invalid: there are more bytes than the request may have */
async function* limited(request: IncomingMessage): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    bytes += (chunk as Buffer).length;
    if (bytes > maxStreamBytes) throw invalidFields({ file: "File is too big." });
    yield chunk as Buffer;
  }
}

/** Rejects a large file, unless its session or key is valid. */
async function rejectUnknownSender(
  { request: { headers }, path, client }: Sender,
  { limits, whileDatabaseAnswers }: Lookups,
): Promise<Rejection | null> {
  const leave = limits.enterLookUp(client);
  if ("status" in leave) return leave;
  const isKnown = isApiPath(path)
    ? findBearer(bearerOf(headers.authorization)).then((bearer) => bearer !== null)
    : isSignedIn(headers.cookie);
  return (await whileDatabaseAnswers(isKnown.finally(leave)))
    ? null
    : { status: 401, message: "Sign in, and then send the file again." };
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
export async function rejectFields(
  body: Buffer | StreamedBody,
  contentType: string,
): Promise<Rejection | null> {
  // The reader of a streamed form knows its fields by name.
  if (body instanceof StreamedBody) return null;
  if (/^application\/json/i.test(contentType) || body.length === 0) return null;
  const names = /^multipart/i.test(contentType)
    ? await multipartNames(body, contentType)
    : urlencodedNames(body);
  return names === null || names.some(isHostileFieldName) ? unreadable : null;
}

function urlencodedNames(body: Buffer): string[] | null {
  const text = body.toString("utf8");
  return text.split("&", maxFormFields + 1).length > maxFormFields
    ? null
    : [...new URLSearchParams(text).keys()];
}

async function multipartNames(body: Buffer, contentType: string): Promise<string[] | null> {
  const boundary = boundaryParameter.exec(contentType);
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
