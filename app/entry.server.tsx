import type { AppLoadContext, EntryContext, HandleErrorFunction } from "@remix-run/node";
import { isRouteErrorResponse, RemixServer } from "@remix-run/react";
import { renderToString } from "react-dom/server";
import { NonceContext } from "./nonce";
import { keepBody } from "./server/remix-handler.server";
import { recordFault } from "./server/request-log.server";

export { start } from "./server/start.server";

/**
 * Renders a page as a whole. Every loader has answered by now and nothing suspends, so a stream would only
 * cost time; and a page that is complete before its first byte leaves can still become an error page with
 * its status.
 */
export default function handleDocument(
  request: Request,
  status: number,
  headers: Headers,
  remix: EntryContext,
  context: AppLoadContext,
): Response {
  const html = renderToString(
    <NonceContext.Provider value={context.cspNonce}>
      <RemixServer context={remix} url={request.url} nonce={context.cspNonce} />
    </NonceContext.Provider>,
  );
  headers.set("Content-Type", "text/html; charset=utf-8");
  // Browsers ask for the sheet before they read the page, and so before its scripts.
  for (const sheet of remix.manifest.routes.root?.css ?? [])
    headers.append("Link", `<${sheet}>; rel=preload; as=style`);
  const answer = new Response(null, { status, headers });
  keepBody(answer, Buffer.from(`<!DOCTYPE html>${html}`));
  return answer;
}

/** Records unexpected errors; expected answers are thrown as responses and never get here. */
export const handleError: HandleErrorFunction = (error, { request, context }) => {
  if (request.signal.aborted || isRouteErrorResponse(error)) return;
  recordFault(context as AppLoadContext, error);
};
