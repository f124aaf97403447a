import { interceptDataRequests } from "./fetch";
import { goOnAsDocument } from "./route-scripts";
import { routerState } from "./router";

/**
 * Opens each next page as a document, so that it is of the release that the server runs. Called once, where the server
 * runs another one.
 * @param isServerReachable asked before: without an answer the page stays, as it does otherwise
 */
export function openNextPagesAsDocuments(isServerReachable: () => Promise<boolean>): void {
  const answer = window.fetch;
  interceptDataRequests(async (routeId, url, init) => {
    const { location, navigation } = routerState()!;
    const isOfNextPage =
      url.pathname === navigation.location?.pathname && url.pathname !== location.pathname;
    const isRead = (init.method ?? "GET") === "GET";
    return isOfNextPage && isRead && (await isServerReachable())
      ? goOnAsDocument(routeId)
      : answer(url, init);
  });
}
