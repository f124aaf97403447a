/**
 * Keeps the page and what was entered when a request of the running app gets no answer (RULES H6).
 * Remix would replace the page by its error page, or reload it into the browser's. Everything that
 * it sends passes through here: links, forms, fetchers, refreshes and the scripts of other pages.
 */
import { noAnswerMessage, runOrSignIn } from "../../forms/network-errors";
import { connectionNotice, noConnection } from "./connection-notice";
import { noteSubmission, post } from "./left-forms";
import { probeBeforeDocuments } from "./open-document";
import { stepsAhead } from "./page-history";
import { inPlace, whenIdle } from "./router";
import { browserFetch, fetchWhole } from "./whole-answer";

declare global {
  interface Window {
    /** The build lets Remix call it where it would reload the page. */
    loadRouteScriptAgain?: (script: string) => Promise<object>;
  }
}

/** Interval at which a script that could not be loaded is tried again. */
const retryScriptMs = 2_000;

/** True from the moment a navigation fails until the page shown has taken its place again. */
let isReturning = false;

/** True from the moment a form fails until the router is idle: what it shows is not read again. */
let isKept = false;

/** Buttons that sent forms, by their forms, and the form that was sent last. */
const submitters = new WeakMap<HTMLFormElement, HTMLElement | null>();
let lastForm: HTMLFormElement | null = null;

/** Sends a form again, as its button did: the one around the element, else the one that was sent last. */
export function submitAgain({ currentTarget }: { currentTarget: Element }): void {
  const form = currentTarget.closest("form") ?? lastForm;
  if (!form?.isConnected) return;
  const submitter = submitters.get(form);
  form.requestSubmit(submitter?.isConnected ? submitter : null);
}

/** Installs the guard. Called once, before hydration. */
export function keepPageWithoutAnswer(): void {
  window.fetch = (input, init = {}) => {
    const url = new URL(input instanceof Request ? input.url : input, location.href);
    const routeId = url.searchParams.get("_data");
    return routeId === null || url.origin !== location.origin
      ? browserFetch(input, init)
      : answerOf(routeId, url, init);
  };
  addEventListener(
    "submit",
    ({ target, submitter }) => {
      lastForm = target as HTMLFormElement;
      submitters.set(lastForm, submitter);
      noteSubmission(lastForm, submitter);
    },
    true,
  );
  probeBeforeDocuments();
  window.loadRouteScriptAgain = loadScriptAgain;
}

/** @throws Response if there is no connection and an action in a row needs the script: a redirect to its page */
async function loadScriptAgain(script: string): Promise<object> {
  const { fetchers } = window.__remixRouter!.state;
  const isAction = [...fetchers.values()].some(({ state }) => state === "submitting");
  // A server without the script has a new release, whose scripts have other names: only a document
  // leads there.
  const { ok } = await fetchWhole(script, { method: "HEAD" }).catch(() => {
    returnToPage();
    // The action must not run later. Remix shows its error page for whatever else is thrown.
    if (isAction) throw Response.redirect(location.href);
    return { ok: true };
  });
  if (!ok) openAsDocument();
  // The script of a navigation that was given up is loaded all the same, for the next one.
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, retryScriptMs));
    const module: unknown = await import(/* @vite-ignore */ script).catch(() => null);
    if (module) return module as object;
  }
}

/** Answers a request of a loader or an action, whatever happens to it. */
async function answerOf(routeId: string, url: URL, init: RequestInit): Promise<Response> {
  const isPost = (init.method ?? "GET") !== "GET";
  if (isReturning && !isPost) return shownData(routeId) ?? neverAnswered();
  if (isPost) isKept = false;
  const kept = isKept && isPageShown(url) && shownData(routeId);
  if (kept) return kept;
  const route = window.__remixRouteModules[routeId];
  try {
    const response = await (isPost ? post : load)(url, init);
    const isShown = !isPost && response.status >= 500 && isPageShown(url);
    return (isShown && !route?.clientLoader && shownData(routeId)) || response;
  } catch (cause) {
    if (init.signal?.aborted || !(cause instanceof TypeError)) throw cause;
    if (isPost && route?.clientAction && route.clientAction !== runOrSignIn) {
      keepUntilIdle();
      throw cause;
    }
    if (isPost) {
      connectionNotice.set(noAnswerMessage);
      return Response.json({ error: noAnswerMessage });
    }
    // A list shows its old rows with the reason, and a dialog its frame.
    if (route?.clientLoader && url.pathname === location.pathname) throw cause;
    const data = isPageShown(url) ? shownData(routeId) : null;
    if (data) return data;
    returnToPage();
    return neverAnswered();
  }
}

function load(url: URL, init: RequestInit): Promise<Response> {
  const controller = new AbortController();
  init.signal?.addEventListener("abort", () => controller.abort(init.signal?.reason));
  return fetchWhole(url, init, controller);
}

/** Keeps what is shown from being read again because of a form whose request failed. */
function keepUntilIdle(): void {
  isKept = true;
  whenIdle(() => (isKept = false));
}

function isPageShown(url: URL): boolean {
  const params = new URLSearchParams(url.search);
  params.delete("_data");
  params.delete("index");
  const { pathname, search } = window.__remixRouter?.state.location ?? location;
  return url.pathname === pathname && `${params}` === `${new URLSearchParams(search)}`;
}

function shownData(routeId: string): Response | null {
  const data = window.__remixRouter?.state.loaderData[routeId];
  return data === undefined ? null : Response.json(data);
}

function neverAnswered(): Promise<Response> {
  return new Promise(() => {});
}

/** Gives up the navigation under way: the address and the page are those before it. */
function returnToPage(): void {
  const router = window.__remixRouter;
  connectionNotice.set(noConnection);
  if (!router || isReturning) return;
  isReturning = true;
  const { actionData } = router.state;
  const unsubscribe = router.subscribe((state) => {
    if (state.navigation.state !== "idle") return;
    // The router drops the answer to a form, which may be a secret that is shown once.
    state.actionData = actionData;
    isReturning = false;
    unsubscribe();
  });
  const steps = stepsAhead();
  if (steps !== 0) return history.go(-steps);
  const { pathname, search, hash } = router.state.location;
  void router.navigate({ pathname, search, hash }, inPlace);
}

function openAsDocument(): void {
  const { pathname, search, hash } = window.__remixRouter?.state.navigation.location ?? location;
  location.assign(pathname + search + hash);
}
