import type { AppLoadContext, EntryContext, HandleErrorFunction } from "@remix-run/node";
import { isRouteErrorResponse, RemixServer } from "@remix-run/react";
import { renderToString } from "react-dom/server";
import { ErrorPageContext, NonceContext } from "./nonce";
import { hasStyles, withFirstStyles } from "./server/first-styles.server";
import { bufferBody } from "./server/remix-handler.server";
import { recordFault } from "./server/request-log.server";
import { IconSpriteContext } from "./ui/icon/icon";
import iconSprite from "./ui/icon/sprite.svg?raw";

export { archive } from "./server/archive.server";
export { backUp, restore } from "./server/backup.server";
export { start } from "./server/start.server";
export { summary } from "./server/summary.server";

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
      <IconSpriteContext.Provider value={iconSprite}>
        <ErrorPageContext.Provider value={isErrorPage(remix)}>
          <RemixServer context={remix} url={request.url} nonce={context.cspNonce} />
        </ErrorPageContext.Provider>
      </IconSpriteContext.Provider>
    </NonceContext.Provider>,
  );
  // An action that refuses a form for now, and a page that can't be read, say when to try again.
  const { actionHeaders, loaderHeaders } = remix.staticHandlerContext;
  for (const answered of [loaderHeaders, actionHeaders].flatMap(Object.values<Headers>)) {
    const retryAfter = answered.get("Retry-After");
    if (retryAfter) headers.set("Retry-After", retryAfter);
  }
  headers.set("Content-Type", "text/html; charset=utf-8");
  // Vite sends the styles in development.
  const sheet = remix.manifest.routes.root?.css?.[0];
  const page = sheet ? withFirstStyles(html, { request, headers, sheet }) : html;
  if (sheet && !hasStyles(request, sheet) && html.includes("modulepreload"))
    for (const script of scriptsOf(remix))
      headers.append("Link", `<${script}>; rel=modulepreload; fetchpriority=low`);
  const answer = new Response(null, { status, headers });
  bufferBody(answer, Buffer.from(`<!DOCTYPE html>${page}`));
  return answer;
}

/**
 * Lists the scripts of a page, first those of all pages, of which one is the largest by far. At a first visit browsers ask for them once they have the headers; the
 * page names them at its end, which slow browsers reach seconds later.
 */
function scriptsOf({ manifest, staticHandlerContext }: EntryContext): Set<string> {
  const routes = staticHandlerContext.matches.map(({ route }) => manifest.routes[route.id]!);
  const modules = [manifest.entry, ...routes];
  return new Set([
    ...modules.flatMap(({ imports = [] }) => imports),
    ...modules.map(({ module }) => module),
    manifest.url,
  ]);
}

/** Tells whether an error takes the place of the whole screen: a dialog that fails leaves the page behind it. */
function isErrorPage({ staticHandlerContext: { errors } }: EntryContext): boolean {
  return ["root", "routes/app"].some((route) => errors?.[route] !== undefined);
}

/** Records unexpected errors; expected answers are thrown as responses and never get here. */
export const handleError: HandleErrorFunction = (error, { request, context }) => {
  if (request.signal.aborted || isRouteErrorResponse(error)) return;
  recordFault(context as AppLoadContext, error);
};
