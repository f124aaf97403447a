/**
 * Keeps the page and what was entered when a request of the running app gets no answer (RULES H6).
 * Remix would replace the page by its error page, or reload it into the browser's. Everything that
 * it sends passes through here: links, forms, fetchers, refreshes and the scripts of other pages.
 */
import { flashParam } from "../../forms/list";
import { noAnswerMessage } from "../../forms/network-errors";

/**
 * A request counts as unanswered after 30 s. They are counted in steps, because a machine that slept
 * meanwhile wakes up with all of them behind it.
 */
const stepMs = 5_000;
const maxSteps = 6;

type Address = { pathname: string; search: string; hash: string; state?: object | null };

/** Parts of the router that are used here; Remix creates it when the page is hydrated. */
type Router = {
  state: {
    location: Address;
    navigation: { state: string; location?: Address };
    loaderData: Record<string, unknown>;
  };
  navigate(to: Partial<Address>, options: object): Promise<void>;
  subscribe(onChange: (state: Router["state"]) => void): () => void;
};

declare global {
  interface Window {
    __remixRouter?: Router;
    /** The build lets Remix call it where it would reload the page. */
    loadRouteScriptAgain?: (script: string) => Promise<object>;
  }
}

/** Interval at which a script that could not be loaded is tried again. */
const retryScriptMs = 2_000;

/** Message of the banner; null: none. */
let notice: string | null = null;
const listeners = new Set<() => void>();

export const connectionNotice = {
  read: () => notice,
  subscribe(onChange: () => void): () => void {
    listeners.add(onChange);
    return () => listeners.delete(onChange);
  },
  set(text: string | null): void {
    if (text === notice) return;
    notice = text;
    for (const onChange of listeners) onChange();
  },
};

/** True from the moment a navigation fails until the page shown has taken its place again. */
let isReturning = false;

/** Position in the session's history of the page shown. Back moves the browser's before the page is loaded. */
let historyIndex = 0;

/** Form that was sent last, and the button that sent it. */
let lastSubmission: Pick<SubmitEvent, "target" | "submitter"> | null = null;

/** Sends the form that was sent last again, as its button did. */
export function submitAgain(): void {
  const { target, submitter } = lastSubmission ?? {};
  if (target instanceof HTMLFormElement && target.isConnected)
    target.requestSubmit(submitter?.isConnected ? submitter : null);
}

/** Installs the guard. Called once, before hydration. */
export function keepPageWithoutAnswer(): void {
  const browserFetch = window.fetch.bind(window);
  window.fetch = (input, init = {}) => {
    const url = new URL(input instanceof Request ? input.url : input, location.href);
    const routeId = url.searchParams.get("_data");
    return routeId === null || url.origin !== location.origin
      ? browserFetch(input, init)
      : answerOf(routeId, url, init, browserFetch);
  };
  addEventListener(
    "submit",
    ({ target, submitter }) => (lastSubmission = { target, submitter }),
    true,
  );
  window.loadRouteScriptAgain = async (script) => {
    // A server without the script has a new release, whose scripts have other names: only a document
    // leads there.
    browserFetch(script, { method: "HEAD", cache: "no-store" }).then(
      ({ ok }) => ok || openAsDocument(),
      returnToPage,
    );
    // An action in a row waits for its script; a navigation was given up.
    for (;;) {
      await new Promise((resolve) => setTimeout(resolve, retryScriptMs));
      const module: unknown = await import(/* @vite-ignore */ script).catch(() => null);
      if (module) return module as object;
    }
  };
}

/** Answers a request of a loader or an action, whatever happens to it. */
async function answerOf(
  routeId: string,
  url: URL,
  init: RequestInit,
  browserFetch: typeof fetch,
): Promise<Response> {
  const isPost = (init.method ?? "GET") !== "GET";
  if (isReturning && !isPost) return shownData(routeId) ?? neverAnswered();
  const route = window.__remixRouteModules[routeId];
  try {
    const response = await (isPost ? post : load)(url, init, browserFetch);
    const isShown = !isPost && response.status >= 500 && isPageShown(url);
    return (isShown && !route?.clientLoader && shownData(routeId)) || response;
  } catch (cause) {
    if (init.signal?.aborted || !(cause instanceof TypeError)) throw cause;
    if (isPost && route?.clientAction) throw cause;
    if (isPost) return Response.json({ error: noAnswerMessage });
    // A list shows its old rows with the reason, and a dialog its frame.
    if (route?.clientLoader && url.pathname === location.pathname) throw cause;
    const data = isPageShown(url) ? shownData(routeId) : null;
    if (data) return data;
    returnToPage();
    return neverAnswered();
  }
}

function load(url: URL, init: RequestInit, browserFetch: typeof fetch): Promise<Response> {
  const controller = new AbortController();
  init.signal?.addEventListener("abort", () => controller.abort(init.signal?.reason));
  return wholeAnswer(url, init, controller, browserFetch);
}

/** Sends a form. One that is left by Back is sent all the same, and the next page tells its outcome. */
async function post(url: URL, init: RequestInit, browserFetch: typeof fetch): Promise<Response> {
  const answer = wholeAnswer(url, init, new AbortController(), browserFetch);
  const { signal } = init;
  if (!signal) return answer;
  const left = new Promise<never>((_resolve, reject) => {
    signal.addEventListener("abort", () => {
      reject(signal.reason);
      answer.then(tellOutcome, () => connectionNotice.set(noAnswerToLeftForm));
    });
  });
  return Promise.race([answer, left]);
}

/**
 * Waits for an answer to its last byte: a connection that breaks in the middle of it is no answer.
 * @throws TypeError when there is none
 */
async function wholeAnswer(
  url: URL,
  init: RequestInit,
  controller: AbortController,
  browserFetch: typeof fetch,
): Promise<Response> {
  let steps = 0;
  const timer = setInterval(() => {
    steps += 1;
    if (steps === maxSteps) controller.abort();
  }, stepMs);
  try {
    const response = await browserFetch(url, { ...init, signal: controller.signal });
    const body = await response.arrayBuffer();
    connectionNotice.set(null);
    return new Response(body.byteLength > 0 ? body : null, response);
  } catch (cause) {
    throw steps >= maxSteps ? new TypeError("No answer in time") : cause;
  } finally {
    clearInterval(timer);
  }
}

const noConnection = "No connection. Your page is kept.";
const noAnswerToLeftForm =
  "No answer from the server to the form that you left. Open it again to see what happened.";

/** Shows the message to which the answer of a form that was left leads. */
async function tellOutcome(response: Response): Promise<void> {
  const target = new URL(response.headers.get("X-Remix-Redirect") ?? "", location.href);
  const flash = target.searchParams.get(flashParam);
  const router = window.__remixRouter;
  if (!flash || !router) {
    const { error } = (await response.json().catch(() => ({}))) as { error?: unknown };
    if (typeof error === "string" && error !== "") connectionNotice.set(error);
    return;
  }
  const { pathname, search, hash } = router.state.navigation.location ?? router.state.location;
  const params = new URLSearchParams(search);
  params.set(flashParam, flash);
  await router.navigate({ pathname, search: `?${params}`, hash }, inPlace);
}

const inPlace = { replace: true, preventScrollReset: true };

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
  const unsubscribe = router.subscribe(({ navigation }) => {
    if (navigation.state !== "idle") return;
    isReturning = false;
    unsubscribe();
  });
  const steps = historyIndexNow() - historyIndex;
  if (steps !== 0) return history.go(-steps);
  const { pathname, search, hash } = router.state.location;
  void router.navigate({ pathname, search, hash }, inPlace);
}

function openAsDocument(): void {
  const { pathname, search, hash } = window.__remixRouter?.state.navigation.location ?? location;
  location.assign(pathname + search + hash);
}

function historyIndexNow(): number {
  return (history.state as { idx?: number } | null)?.idx ?? 0;
}

/** Called after each navigation. */
export function notePageShown(): void {
  historyIndex = historyIndexNow();
}
