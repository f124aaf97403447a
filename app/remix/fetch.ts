/** The place between Remix and the browser's `fetch`: the only one from which an answer that never comes is seen. */
import { dataRouteId } from "./data-requests";

/** The browser's own function; `interceptDataRequests` replaces the one that Remix calls. */
export const browserFetch = globalThis.fetch;

/** Passes every request of Remix for a route's data to a function that answers it. */
export function interceptDataRequests(
  answer: (routeId: string, url: URL, init: RequestInit) => Promise<Response>,
): void {
  window.fetch = (input, init = {}) => {
    const url = new URL(input instanceof Request ? input.url : input, location.href);
    const routeId = dataRouteId(url.searchParams);
    return routeId === null || url.origin !== location.origin
      ? browserFetch(input, init)
      : answer(routeId, url, init);
  };
}
