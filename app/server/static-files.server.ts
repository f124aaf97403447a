import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import path from "node:path";
import { acceptedEncoding, omitKeepAlive, type Encoding } from "./remix-handler.server";

type StaticFile = {
  contentType: string;
  etag: string;
  cacheControl: string;
  /** A script or style whose name changes with its content. */
  isHashedCode: boolean;
  bodies: { identity: Buffer } & Record<Encoding, Buffer | undefined>;
};

const contentTypes: Record<string, string> = {
  ".css": "text/css",
  ".html": "text/html; charset=utf-8",
  ".ico": "image/x-icon",
  ".jpg": "image/jpeg",
  ".js": "text/javascript",
  ".json": "application/json; charset=utf-8",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".webmanifest": "application/manifest+json",
  ".webp": "image/webp",
  ".woff2": "font/woff2",
};

/**
 * The files that the build made for browsers, with their `.br` and `.gz` siblings. They are kept
 * in memory: pages that are open stay whole when a new build replaces the folder.
 * @returns a handler that says whether it answered
 */
export function staticFiles(folder: string) {
  const files = readFiles(folder);

  return (request: IncomingMessage, response: ServerResponse, pathname: string): boolean => {
    if (request.method !== "GET" && request.method !== "HEAD") return false;
    const file = files.get(pathname);
    if (!file) return false;
    if (file.isHashedCode) dropPageHeaders(response);
    else response.setHeader("ETag", file.etag);
    response.setHeader("Cache-Control", file.cacheControl);
    response.setHeader("Vary", "Accept-Encoding");
    if (request.headers["if-none-match"] === file.etag) {
      response.writeHead(304).end();
      return true;
    }
    const encoding = acceptedEncoding(request.headers["accept-encoding"]);
    const encoded = encoding ? file.bodies[encoding] : undefined;
    if (encoding && encoded) response.setHeader("Content-Encoding", encoding);
    const body = encoded ?? file.bodies.identity;
    response.writeHead(200, { "Content-Type": file.contentType, "Content-Length": body.length });
    response.end(request.method === "HEAD" ? undefined : body);
    return true;
  };
}

/** Leaves a script or style the headers that mean something there: each costs a slow line some milliseconds. */
function dropPageHeaders(response: ServerResponse): void {
  for (const name of response.getHeaderNames())
    if (!/^(x-content-type-options|strict-transport-security|connection)$/.test(name))
      response.removeHeader(name);
  omitKeepAlive(response);
}

function readFiles(folder: string): Map<string, StaticFile> {
  const contents = new Map<string, Buffer>();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || entry.name.startsWith(".")) continue;
    const file = path.join(entry.parentPath, entry.name);
    contents.set(`/${path.relative(folder, file).split(path.sep).join("/")}`, readFileSync(file));
  }
  const files = new Map<string, StaticFile>();
  for (const [name, identity] of contents) {
    const contentType = contentTypes[path.extname(name)];
    if (!contentType) continue;
    const isHashed = name.startsWith("/assets/");
    files.set(name, {
      contentType,
      etag: `W/"${createHash("sha256").update(identity).digest("base64url").slice(0, 22)}"`,
      cacheControl: isHashed
        ? "max-age=31536000, immutable"
        : contentType.startsWith("image/")
          ? "max-age=86400"
          : "no-cache",
      isHashedCode: isHashed && /\.(js|css)$/.test(name),
      bodies: {
        identity,
        br: contents.get(`${name}.br`),
        gzip: contents.get(`${name}.gz`),
      },
    });
  }
  return files;
}
