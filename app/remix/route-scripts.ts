/**
 * The scripts of routes. A module that could not be loaded stays failed in its document, so no address is imported
 * twice: a patch of Remix, which would reload the page, asks here instead.
 */
import { postAsDocument } from "./document-form";
import { stepsAhead } from "./page-history";
import { cancelNavigation, requestsFor } from "./router";

type RouteModule = (typeof window.__remixRouteModules)[string];

declare global {
  interface Window {
    /** Called by Remix where it would import the script of a route. */
    importRouteScript?: (route: { id: string; module: string }) => Promise<RouteModule>;
  }
}

/** Imports by the ids of routes, those that failed included. */
const imports = new Map<string, Promise<RouteModule>>();

/** Forms that were posted natively: two of them may wait for one script. */
const posted = new WeakSet<object>();

/**
 * Lets Remix load scripts of routes. Called once, before hydration.
 * @param goOn goes on without the script of a route
 */
export function loadRouteScripts(goOn: (routeId: string) => Promise<never>): void {
  window.importRouteScript = ({ id, module }) => {
    if (!imports.has(id)) imports.set(id, import(/* @vite-ignore */ module));
    return imports.get(id)!.catch(() => goOn(id));
  };
}

/** Adds scripts of routes that were loaded in another way, by their ids. */
export function addRouteModules(modules: Record<string, RouteModule>): void {
  for (const [id, module] of Object.entries(modules)) window.__remixRouteModules[id] ??= module;
}

/** Returns the script of a route; undefined until it is loaded. */
export function routeModule(routeId: string): RouteModule | undefined {
  return window.__remixRouteModules[routeId];
}

/** Waits for the script of a route if it is being loaded, and tells whether the route can be used in this document. */
export async function isUsable(routeId: string): Promise<boolean> {
  const script = imports.get(routeId);
  return (
    script === undefined ||
    script.then(
      () => true,
      () => false,
    )
  );
}

/** Opens the document of a navigation, or posts a form natively: what the page does without scripts. */
export async function goOnAsDocument(routeId: string): Promise<never> {
  const { target, submission } = requestsFor(routeId);
  if (submission && !posted.has(submission)) {
    posted.add(submission);
    postAsDocument(submission);
  } else if (target && stepsAhead() !== 0) {
    // Back has already moved to the entry, so that its document takes the place of what is shown.
    location.replace(location.pathname + location.search);
  } else if (target) {
    // The router knows whether the navigation adds an entry to the history or replaces one.
    throw redirectTo(target, "X-Remix-Reload-Document");
  }
  return new Promise(() => {});
}

/** Gives up the navigation and the forms that need a route; they must not go on later. */
export async function giveUp(routeId: string): Promise<never> {
  const { target, submission } = requestsFor(routeId);
  if (target || submission) cancelNavigation();
  // Remix shows its error page for whatever else is thrown. The answer of a fetcher is dropped.
  if (submission && !target) throw redirectTo(location.href, "X-Remix-Replace");
  return new Promise(() => {});
}

/** Names the version of the build that this document runs. */
export function releaseVersion(): string {
  return window.__remixManifest.version;
}

function redirectTo(address: string, header: string): Response {
  return new Response(null, { status: 302, headers: { Location: address, [header]: "true" } });
}
