/** How Remix marks requests for a route's data, and their answers. Read by server and browser. */

/** Names the route whose data a request of our scripts reads or posts; documents don't have it. */
const routeParam = "_data";

/** Query parameters that belong to Remix and to no page; `index` marks the form of an index route. */
export const remixParams = [routeParam, "index"];

/** Header of an answer that Remix throws instead of taking it for data. */
export const thrownHeader = "X-Remix-Catch";

/** Header with the target of a redirect that answers a request for data. */
export const redirectHeader = "X-Remix-Redirect";

/** Tells a request of our scripts from one for a document. */
export function isDataRequest(params: URLSearchParams): boolean {
  return params.has(routeParam);
}

/** Returns the id of the route whose data is requested; null for a document. */
export function dataRouteId(params: URLSearchParams): string | null {
  return params.get(routeParam);
}

/** Returns the address of the page to which a request belongs. */
export function pageUrl(url: URL): URL {
  const page = new URL(url);
  for (const name of remixParams) page.searchParams.delete(name);
  return page;
}
