/** Files that are made while they are sent, no faster than the client reads them. */
import { siteToday } from "../db/site.server";
import type { ByteRange } from "../codec/seekable-file.server";
import type { generationArchive } from "../features/mass-generations/generation-archive.server";
import { streamFromReplica } from "../db/replica.server";
import { LimitError } from "../errors";
import { rejections } from "../metrics.server";
import { apiError } from "./answers.server";
import { createSlots, type Release } from "./slots.server";

type Chunk = string | Uint8Array;

/** Headers of a file that is authorised on every request and sent again only when it differs. */
export function revalidated(tag: string) {
  return { ETag: `"${tag}"`, "Cache-Control": "private, no-cache" };
}

/**
 * Returns a 304 if the client's `If-None-Match` lists this version, else null. Tags are compared
 * whole and weakly (RFC 9110, 13.1.2); `*` matches every version.
 * @param etag with its quotes
 */
export function notModified(request: Request, etag: string, headers: HeadersInit): Response | null {
  const tags = request.headers.get("If-None-Match")?.split(",") ?? [];
  const isKnown = tags
    .map((tag) => tag.trim().replace(/^W\//, ""))
    .some((tag) => tag === etag || tag === "*");
  return isKnown ? new Response(null, { status: 304, headers }) : null;
}

/** Makes the places that files or calls of a user take until they have ended. */
export function userPlaces(quota: number, name: string, message: string) {
  const slots = createSlots(quota);
  return (userId: string): Release => {
    const release = slots.take(userId);
    if (release) return release;
    rejections.inc({ reason: `${name}PerUser` });
    throw new LimitError(message, { name, quota }, 2);
  };
}

/** More would leave no connections of the database, or of the browser, to anything else. */
export const takeDownload = userPlaces(
  10,
  "downloads",
  "You have 10 downloads running. Wait until one has ended, or cancel one, and try again.",
);

/** An export of many rows keeps the database busy from its first page to its last. */
const takeExport = userPlaces(
  2,
  "exports",
  "You have 2 exports running. Wait until one has ended, or cancel one, and try again.",
);

/** A request for a file, its user, and the place of the download if it was taken before. */
export type FileRequest = { request: Request; userId: string; place?: Release };

/**
 * Answers with a file made of chunks. The first chunk is made before the answer begins: a failure
 * there becomes an error with its status instead of half a file. The generator ends when the client
 * leaves. Nothing is made for a HEAD.
 * @throws DomainError too_many: the user has ten downloads that have not ended
 */
export async function streamedFile(
  { request, userId, place }: FileRequest,
  makeChunks: () => AsyncGenerator<Chunk>,
  {
    fileName,
    headers,
    status = 200,
  }: { fileName: string; headers: Record<string, string>; status?: number },
): Promise<Response> {
  const start = () => startDownload(request, makeChunks, place ?? takeDownload(userId));
  return new Response(request.method === "HEAD" ? null : await start(), {
    status,
    headers: { ...headers, "Content-Disposition": `attachment; filename="${fileName}"` },
  });
}

/**
 * Answers with a CSV file, as `streamedFile` does, from the replica if there is one.
 * @param name begins the name of the file, before the date
 * @throws DomainError too_many: the user has ten downloads or two exports that have not ended
 */
export async function csvResponse(
  fileRequest: FileRequest,
  name: string,
  makeLines: () => AsyncGenerator<string>,
): Promise<Response> {
  const fileName = `${name}-${await siteToday()}.csv`;
  const { userId } = fileRequest;
  const makeChunks = () => releaseAtEnd(streamFromReplica(userId, makeLines), takeExport(userId));
  return streamedFile(fileRequest, makeChunks, {
    fileName,
    headers: { "Content-Type": "text/csv; charset=utf-8", "Cache-Control": "private, no-store" },
  });
}

async function startDownload(
  { signal }: Request,
  makeChunks: () => AsyncGenerator<Chunk>,
  release: Release,
) {
  try {
    const chunks = releaseAtEnd(makeChunks(), release);
    const first = chunks.next();
    // Remix drops the answer to a request that was given up, without cancelling its body.
    const stop = () => void chunks.return(undefined).catch(() => undefined);
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
    return toStream(chunks, await first);
  } catch (error) {
    release();
    throw error;
  }
}

async function* releaseAtEnd<Part extends Chunk>(chunks: AsyncGenerator<Part>, release: Release) {
  try {
    yield* chunks;
  } finally {
    release();
  }
}

function toStream(chunks: AsyncGenerator<Chunk>, first: IteratorResult<Chunk>) {
  const encoder = new TextEncoder();
  let next: IteratorResult<Chunk> | null = first;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { value, done } = next ?? (await chunks.next());
        next = null;
        if (done) controller.close();
        else controller.enqueue(typeof value === "string" ? encoder.encode(value) : value);
      },
      async cancel() {
        await chunks.return(undefined);
      },
    },
    // Makes nothing before it is asked for.
    { highWaterMark: 0 },
  );
}

/**
 * Answers a GET or HEAD with the archive, with the part that `Range` asks for (206, 416), or with 304
 * if the client has it; answers any other method with the archive.
 */
export async function archiveResponse(
  fileRequest: FileRequest,
  { fileName, size, tag, bytes }: Awaited<ReturnType<typeof generationArchive>>,
): Promise<Response> {
  const { request } = fileRequest;
  const { method } = request;
  const headers = revalidated(tag);
  const isRead = method === "GET" || method === "HEAD";
  const unchanged = isRead ? notModified(request, headers.ETag, headers) : null;
  if (unchanged) return unchanged;

  // A part of another version can't be continued with this one.
  const isSameFile = (request.headers.get("If-Range") ?? headers.ETag) === headers.ETag;
  const range = request.headers.get("Range");
  const part = method === "GET" && isSameFile ? parseRange(range, size) : null;
  if (part === "unsatisfiable")
    return apiError(416, "The file ends before this range.", {
      headers: { "Content-Range": `bytes */${size}` },
    });

  const { first, end } = part ?? { first: 0, end: size };
  return streamedFile(fileRequest, () => bytes({ first, end }), {
    fileName,
    status: part ? 206 : 200,
    headers: {
      ...headers,
      "Content-Type": "application/zip",
      "Content-Length": String(end - first),
      "Accept-Ranges": "bytes",
      ...(part && { "Content-Range": `bytes ${first}-${end - 1}/${size}` }),
    },
  });
}

/**
 * Parses a `Range` header (RFC 9110, 14.2). Null means the whole file: without a header, for one
 * that can't be read, and for several ranges at once, which would cost more than the file.
 * @param size of the file, in bytes
 */
function parseRange(header: string | null, size: number): ByteRange | "unsatisfiable" | null {
  const match = /^bytes=(\d*)-(\d*)$/i.exec(header?.trim() ?? "");
  if (!match || match[0].endsWith("=-")) return null;
  const [, from = "", to = ""] = match;
  if (from !== "" && to !== "" && Number(from) > Number(to)) return null;
  const first = from === "" ? Math.max(0, size - Number(to)) : Number(from);
  const end = from === "" || to === "" ? size : Math.min(Number(to) + 1, size);
  return first < end ? { first, end } : "unsatisfiable";
}
