import type { AppLoadContext, EntryContext, HandleErrorFunction } from "@remix-run/node";
import { isRouteErrorResponse, RemixServer } from "@remix-run/react";
import { renderToString } from "react-dom/server";
import { ErrorPageContext, NonceContext } from "./nonce";
import { withFirstStyles } from "./server/first-styles.server";
import { cachedMarkup, withKeptMarkup } from "./server/kept-markup.server";
import { keepBody } from "./server/remix-handler.server";
import { packRows } from "./format/packed-rows";
import { MarkupCacheContext } from "./ui/markup-cache";
import { recordFault } from "./server/request-log.server";
import { shortMarkup } from "./server/short-markup.server";

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
  const markup = renderToString(
    <NonceContext.Provider value={context.cspNonce}>
      <MarkupCacheContext.Provider value={cachedMarkup}>
        <ErrorPageContext.Provider value={isErrorPage(remix)}>
          <RemixServer
            context={withPackedRows(withDemo(remix))}
            url={request.url}
            nonce={context.cspNonce}
          />
        </ErrorPageContext.Provider>
      </MarkupCacheContext.Provider>
    </NonceContext.Provider>,
  );
  const html = withUsedIcons(withKeptMarkup(shortMarkup(markup)));
  headers.set("Content-Type", "text/html; charset=utf-8");
  // Vite sends the styles in development.
  const sheet = remix.manifest.routes.root?.css?.[0];
  const page = sheet ? withFirstStyles(html, { request, headers, sheet }) : html;
  // The largest scripts would else be asked for at the end of the page, which slow browsers reach late.
  if (html.includes("modulepreload"))
    for (const script of remix.manifest.entry.imports)
      headers.append("Link", `<${script}>; rel=modulepreload; fetchpriority=low`);
  const answer = new Response(null, { status, headers });
  keepBody(answer, Buffer.from(`<!DOCTYPE html>${page}`));
  return answer;
}

/** Tells whether an error takes the place of the whole screen: a dialog that fails leaves the page behind it. */
function isErrorPage({ staticHandlerContext: { errors } }: EntryContext): boolean {
  return ["root", "routes/app"].some((route) => errors?.[route] !== undefined);
}

/** Leaves out the drawings that a page without scripts doesn't use: nothing will add an icon to it. */
function withUsedIcons(html: string): string {
  // Scripts stand at the end, where a search that begins there finds them at once.
  if (html.lastIndexOf("<script") !== -1) return html;
  const used = new Set(html.match(/(?<=href=#)i-[^ >]+/g));
  return html.replace(/<symbol id=(\S+).*?<\/symbol>/g, (symbol, id) =>
    used.has(id) ? symbol : "",
  );
}

/** Gives pages of the demo area the manifest that has its routes. */
function withDemo(remix: EntryContext): EntryContext {
  const { manifest, staticHandlerContext } = remix;
  const isDemo = staticHandlerContext.matches.some(({ route }) =>
    route.id.startsWith("routes/app._demo."),
  );
  const url = manifest.url.replace(/\/(manifest-\w+\.js)$/, "/demo-$1");
  return isDemo ? { ...remix, manifest: { ...manifest, url } } : remix;
}

/** Shortens what scripts are given: rows without the names of their properties, and no switches that are off. */
function withPackedRows(remix: EntryContext): EntryContext {
  const { loaderData, actionData, errors } = remix.staticHandlerContext;
  if (errors) return remix;
  const { isSpaMode, future } = remix;
  const handoff = {
    basename: "/",
    future: Object.fromEntries(Object.entries(future).filter(([, isOn]) => isOn)),
    isSpaMode,
    state: { loaderData: packRows(loaderData), actionData, errors },
  };
  // Neither ends the script that it stands in.
  const serverHandoffString = JSON.stringify(handoff).replace(
    /[<>&\u2028\u2029]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  return { ...remix, serverHandoffString };
}

/** Records unexpected errors; expected answers are thrown as responses and never get here. */
export const handleError: HandleErrorFunction = (error, { request, context }) => {
  if (request.signal.aborted || isRouteErrorResponse(error)) return;
  recordFault(context as AppLoadContext, error);
};
