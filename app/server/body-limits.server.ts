import type { IncomingMessage } from "node:http";
import { isSafeMethod, type Rejection } from "./request-checks.server";

/** Room for a form that lists 2,000 machines twice, once as shown and once as chosen. */
const maximumBodyBytes = 256 * 1024;
const maximumFields = 5_000;
const maximumParts = 10;

const tooLarge: Rejection = { status: 413, message: "That is more than this server accepts." };
const unreadable: Rejection = { status: 400, message: "The form can't be read." };
const bodyTypes =
  /^(application\/x-www-form-urlencoded|multipart\/form-data|application\/json)\s*(;|$)/i;

/** Rejects a request by its headers alone, before any of its body is read. */
export function rejectByHeaders(request: IncomingMessage): Rejection | null {
  const { headers } = request;
  const length = headers["content-length"];
  const hasBody = headers["transfer-encoding"] !== undefined || (length ?? "0") !== "0";
  if (!hasBody) return null;
  if (isSafeMethod(request.method))
    return { status: 400, message: "This kind of request can't have a body." };
  if (Number(length ?? 0) > maximumBodyBytes) return tooLarge;
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
  most = maximumBodyBytes,
): Promise<Buffer | Rejection | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  return new Promise((resolve) => {
    const onData = (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= most) return void chunks.push(chunk);
      request.off("data", onData);
      resolve(tooLarge);
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
  let fields = 1;
  for (const byte of body) if (byte === 0x26) fields += 1;
  if (fields > maximumFields) return null;
  return [...new URLSearchParams(body.toString("utf8")).keys()];
}

async function multipartNames(body: Buffer, contentType: string): Promise<string[] | null> {
  const boundary = /;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(contentType);
  const mark = boundary?.[1] ?? boundary?.[2];
  if (mark === undefined) return null;
  let parts = -1;
  for (let at = body.indexOf(`--${mark}`); at !== -1; at = body.indexOf(`--${mark}`, at + 1)) {
    parts += 1;
    if (parts > maximumParts) return null;
  }
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
  if (path.length > 4) return true;
  return (
    path.some((step) => step === "__proto__" || step === "constructor" || step === "prototype") ||
    [...name.matchAll(/\[(\d+)/g)].some(([, index]) => Number(index) > 1_000)
  );
}
