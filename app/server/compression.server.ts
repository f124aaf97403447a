import type { ServerResponse } from "node:http";
import type { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from "node:zlib";
import { promisify } from "node:util";

export type Encoding = "br" | "gzip";

/** Below this many bytes compression gains nothing. */
const WORTHWHILE_BYTES = 1_024;
/** Time in ms after which the compressed bytes so far are sent, while the rest is being made. */
const FLUSH_MS = 5;
const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };

const compressible = /^(text\/(?!event-stream)|application\/(json|manifest\+json)|image\/svg\+xml)/;

export function isCompressible(contentType: string | null): boolean {
  return compressible.test(contentType ?? "");
}

/** Returns the encoding that the client prefers; null sends the content uncompressed. */
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

/** Sends a body that is whole already. */
export async function sendWhole(response: ServerResponse, body: Buffer, encoding: Encoding | null) {
  let content = body;
  if (encoding !== null && body.length >= WORTHWHILE_BYTES) {
    response.setHeader("Content-Encoding", encoding);
    content =
      encoding === "br"
        ? await promisify(brotliCompress)(body, brotliOptions)
        : await promisify(gzip)(body);
  }
  response.setHeader("Content-Length", content.length);
  response.end(content);
}

/** Sends a body while it is being made; works no faster than the client reads. */
export async function sendStream(
  response: ServerResponse,
  body: Readable,
  encoding: Encoding | null,
) {
  if (encoding === null) return pipeline(body, response);
  response.setHeader("Content-Encoding", encoding);
  response.removeHeader("Content-Length");
  const compressor = encoding === "br" ? createBrotliCompress(brotliOptions) : createGzip();
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
