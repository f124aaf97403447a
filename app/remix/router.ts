/** Remix's router outside of components, where hooks can't be called. */
import { createPath, matchRoutes } from "@remix-run/react";
import { pageUrl } from "./data-requests";
import { stepsAhead } from "./page-history";

type RouterState = (typeof window.__remixRouter)["state"];

/** Options of a navigation to the page that is shown. */
const inPlace = { replace: true, preventScrollReset: true };

/** True from the moment a navigation is given up until the page shown has taken its place again. */
let isReturning = false;

/** Location of the link that was followed last without an answer. */
let lostLocation: RouterState["location"] | undefined;

/** Returns what the router shows and does; undefined until the page is hydrated. */
export function routerState(): RouterState | undefined {
  return window.__remixRouter?.state;
}

/** Calls a listener after each step of a navigation or fetcher, and returns how to stop that. */
export function onRouterChange(listener: () => void): () => void {
  return window.__remixRouter.subscribe(listener);
}

/** Runs a task once neither a navigation nor a fetcher is under way. */
export function whenIdle(task: (state: RouterState) => void): void {
  const state = routerState();
  if (!state) return;
  const isIdle = ({ navigation, fetchers }: RouterState) =>
    navigation.state === "idle" && [...fetchers.values()].every(({ state }) => state === "idle");
  if (isIdle(state)) return task(state);
  const unsubscribe = window.__remixRouter.subscribe((next) => {
    if (!isIdle(next)) return;
    unsubscribe();
    task(next);
  });
}

/** Reads the page shown again, with other query parameters. */
export function reloadData({ pathname, hash }: RouterState["location"], search: string) {
  return window.__remixRouter.navigate({ pathname, search, hash }, inPlace);
}

/** Tells whether a request for data is one of the page shown. */
export function isPageShown(url: URL): boolean {
  const { pathname, search } = routerState()?.location ?? location;
  const { searchParams } = pageUrl(url);
  return url.pathname === pathname && `${searchParams}` === `${new URLSearchParams(search)}`;
}

/** Returns the data that the page shows of a route, as an answer; null if it shows none. */
export function shownData(routeId: string): Response | null {
  const data: unknown = routerState()?.loaderData[routeId];
  return data === undefined ? null : Response.json(data);
}

/** Whether a navigation is being given up: what the page shows is then not read again. */
export function isCancelling(): boolean {
  return isReturning;
}

/** Gives up the navigation under way: the address and the page are those before it. */
export function cancelNavigation(): void {
  const state = routerState();
  if (!state || isReturning) return;
  isReturning = true;
  const { formMethod, location } = state.navigation;
  lostLocation = /post/i.test(formMethod ?? "") ? undefined : location;
  const steps = stepsAhead();
  if (steps !== 0) return history.go(-steps);
  void reloadData(state.location, state.location.search);
}

/** Follows the link once more whose navigation was given up; returns false if it was a form that was lost. */
export function navigateAgain(): boolean {
  if (lostLocation) void window.__remixRouter.navigate(lostLocation);
  return lostLocation !== undefined;
}

/** Returns where a navigation that needs a route leads, and the form that is posted to the route last. */
export function requestsFor(routeId: string) {
  const { navigation, fetchers } = routerState()!;
  const isForRoute = (address: string) =>
    matchRoutes(window.__remixRouter.routes, address)?.some(({ route }) => route.id === routeId);
  const target = navigation.location && createPath(navigation.location);
  return {
    target: target && isForRoute(target) ? target : null,
    submission: [...fetchers.values(), navigation].findLast(
      ({ state, formAction }) => state === "submitting" && isForRoute(formAction),
    ),
  };
}

/**
 * Keeps the answer to a form, which may be a secret that is shown once, while the page stays: the router drops it when a
 * navigation is given up, and when a link leads to another place of the page. Called once the page is hydrated.
 */
export function keepAnswersOnPage(): void {
  let last = window.__remixRouter.state;
  window.__remixRouter.subscribe((next) => {
    const isIdle = next.navigation.state === "idle";
    // A navigation that loads nothing leads within the page.
    if (isReturning || (isIdle && last.navigation.state === "idle"))
      next.actionData ??= last.actionData;
    if (isIdle) isReturning = false;
    last = next;
  });
}
