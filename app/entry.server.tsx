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
            write: (chunk: Uint8Array, _encoding, done) => done(void html.push(chunk)),
            final: (done) => {
              keepBody(answer, withoutPadding(Buffer.concat(html)));
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

/**
 * Removes zero bytes: React 18 writes a full buffer of 2,048 bytes even if the next character has more
 * bytes than were left in it, and browsers show the rest of the buffer as a character of its own.
 */
function withoutPadding(html: Buffer): Buffer {
  return html.includes(0) ? Buffer.from(html.filter((byte) => byte !== 0)) : html;
}

/** Records unexpected errors; expected answers are thrown as responses and never get here. */
export const handleError: HandleErrorFunction = (error, { request, context }) => {
  if (request.signal.aborted || isRouteErrorResponse(error)) return;
  context.fault = error;
  logFault((context as AppLoadContext).log, error);
};
