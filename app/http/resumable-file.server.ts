/** Files of which any part can be made: a download that broke off goes on where it ended. */
import type { ByteRange } from "../codec/seekable-file.server";
import { apiError } from "./answers.server";
import { parseRange } from "./byte-range";
import { isKnown } from "./downloads.server";
import { streamedFile } from "./streamed-file.server";

export type ResumableFile = {
  fileName: string;
  /** In bytes. */
  size: number;
  /** Names the bytes: the same tag, the same bytes. Without quotes. */
  tag: string;
  bytes(range: ByteRange): AsyncGenerator<Uint8Array>;
};

/**
 * Answers a GET or HEAD with the file, with the part that `Range` asks for (206, 416), or with
 * nothing where the client has it (304); and any other method with the file.
 */
export async function resumableFile(
  { method, headers: asked }: Request,
  { fileName, size, tag, bytes }: ResumableFile,
  contentType: string,
): Promise<Response> {
  const etag = `"${tag}"`;
  const headers = { ETag: etag, "Cache-Control": "private, no-cache" };
  const isRead = method === "GET" || method === "HEAD";
  if (isRead && isKnown(asked.get("If-None-Match"), etag))
    return new Response(null, { status: 304, headers });

  // What a client has of another version is no beginning of this one.
  const isSameFile = (asked.get("If-Range") ?? etag) === etag;
  const part = method === "GET" && isSameFile ? parseRange(asked.get("Range"), size) : null;
  if (part === "unsatisfiable")
    return apiError(416, "The file ends before this range.", {
      headers: { "Content-Range": `bytes */${size}` },
    });

  const { first, end } = part ?? { first: 0, end: size };
  return streamedFile(method === "HEAD" ? null : bytes({ first, end }), {
    fileName,
    status: part ? 206 : 200,
    headers: {
      ...headers,
      "Content-Type": contentType,
      "Content-Length": String(end - first),
      "Accept-Ranges": "bytes",
      ...(part && { "Content-Range": `bytes ${first}-${end - 1}/${size}` }),
    },
  });
}
