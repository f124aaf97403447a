import { Writable } from "node:stream";
import type { AppLoadContext, EntryContext, HandleErrorFunction } from "@remix-run/node";
import { isRouteErrorResponse, RemixServer } from "@remix-run/react";
import { renderToPipeableStream } from "react-dom/server";
import { NonceContext } from "./nonce";
import { keepBody } from "./server/remix-handler.server";
import { logFault } from "./server/request-log.server";

export { start } from "./server/start.server";

/** Longer than a page may take to be drawn, in ms. */
const RENDER_MS = 5_000;

/**
 * Draws a page as a whole. Nothing here streams: every loader has answered by now, and a page
 * that is complete before its first byte leaves can still become an error page with its status.
 */
export default function handleDocument(
  request: Request,
  status: number,
  headers: Headers,
  remix: EntryContext,
  context: AppLoadContext,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const { pipe, abort } = renderToPipeableStream(
      <NonceContext.Provider value={context.cspNonce}>
        <RemixServer
          context={remix}
          url={request.url}
          abortDelay={RENDER_MS}
          nonce={context.cspNonce}
        />
      </NonceContext.Provider>,
      {
        nonce: context.cspNonce,
        onAllReady() {
          clearTimeout(timer);
          headers.set("Content-Type", "text/html; charset=utf-8");
          const answer = new Response(null, { status, headers });
          const html: Uint8Array[] = [];
          const page = new Writable({
            decodeStrings: false,
            write: (chunk: Uint8Array, _encoding, done) =>
              done(void html.push(withoutPadding(chunk))),
            final: (done) => {
              keepBody(answer, Buffer.concat(html));
              done();
              resolve(answer);
            },
          });
          page.once("error", reject);
          pipe(page);
        },
        onShellError: reject,
        onError: reject,
      },
    );
    const timer = setTimeout(abort, RENDER_MS);
    request.signal.addEventListener("abort", () => abort(), { once: true });
  });
}

/** Bytes of a buffer of React. */
const bufferSize = 2_048;

/**
 * Removes zero bytes at the end of a full buffer: React 18 writes it as a whole even if the next
 * character has more bytes than were left, and browsers would show each as a character of its own.
 */
function withoutPadding(chunk: Uint8Array): Uint8Array {
  let end = chunk.length;
  while (chunk.length === bufferSize && chunk[end - 1] === 0) end--;
  return chunk.subarray(0, end);
}

/** Records unexpected errors; expected answers are thrown as responses and never get here. */
export const handleError: HandleErrorFunction = (error, { request, context }) => {
  if (request.signal.aborted || isRouteErrorResponse(error)) return;
  context.fault = error;
  logFault((context as AppLoadContext).log, error);
};
