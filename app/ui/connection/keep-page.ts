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

type Address = { pathname: string; search: string; hash: string };

/** Parts of the router that are used here; Remix creates it when the page is hydrated. */
type Router = {
  state: {
    location: Address & { key: string };
    navigation: { state: string; location?: Address };
    fetchers: Map<string, { state: string }>;
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

/** Location whose page shows the outcome of a form that was left; null: any answer clears the message. */
let outcomeKey: string | null = null;

/** True from the moment a navigation fails until the page shown has taken its place again. */
let isReturning = false;

/** True from the moment a form fails until the router is idle: what it shows is not read again. */
let isKept = false;

/** Position in the session's history of the page shown. Back moves the browser's before the page is loaded. */
let historyIndex = 0;

/** Buttons that sent forms, by their forms, and the form that was sent last. */
const submitters = new WeakMap<EventTarget, HTMLElement | null>();
let lastForm: EventTarget | null = null;

/** Sends a form again, as its button did: the one around the element, else the one that was sent last. */
export function submitAgain({ currentTarget }: { currentTarget: Element }): void {
  const form = currentTarget.closest("form") ?? lastForm;
  if (!(form instanceof HTMLFormElement) || !form.isConnected) return;
  const submitter = submitters.get(form);
  form.requestSubmit(submitter?.isConnected ? submitter : null);
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
    ({ target, submitter }) => {
      lastForm = target;
      submitters.set(target!, submitter);
    },
    true,
  );
  const isReachable = () =>
    wholeAnswer(
      "/healthz",
      { method: "HEAD", cache: "no-store" },
      new AbortController(),
      browserFetch,
    );
  addEventListener("submit", (event) => {
    const form = event.target as HTMLFormElement;
    onlyReachable(event, isReachable, () => form.requestSubmit(event.submitter));
  });
  addEventListener("click", (event) => {
    const link = event.target instanceof Element && event.target.closest("a");
    if (link && opensDocument(link, event)) onlyReachable(event, isReachable, () => link.click());
  });
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

/** True while a document is opened that the server was found to answer. */
let isReached = false;

/**
 * Opens a document only where the server answers: without scripts of ours in between, the browser's
 * error page would replace what is shown.
 */
function onlyReachable(event: Event, isReachable: () => Promise<unknown>, open: () => void): void {
  if (event.defaultPrevented || isReached) return;
  event.preventDefault();
  isReachable().then(
    () => {
      isReached = true;
      open();
      isReached = false;
    },
    () => connectionNotice.set(noConnection),
  );
}

/** Whether a click on a link replaces this page by another document. */
function opensDocument(link: HTMLAnchorElement, event: MouseEvent): boolean {
  const isOther = link.pathname + link.search !== location.pathname + location.search;
  const isPlain = !(
    event.button ||
    event.ctrlKey ||
    event.metaKey ||
    event.shiftKey ||
    event.altKey
  );
  return isPlain && isOther && link.origin === location.origin && !link.target && !link.download;
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
  if (isPost) isKept = false;
  const kept = isKept && isPageShown(url) && shownData(routeId);
  if (kept) return kept;
  const route = window.__remixRouteModules[routeId];
  try {
    const response = await (isPost ? post : load)(url, init, browserFetch);
    const isShown = !isPost && response.status >= 500 && isPageShown(url);
    return (isShown && !route?.clientLoader && shownData(routeId)) || response;
  } catch (cause) {
    if (init.signal?.aborted || !(cause instanceof TypeError)) throw cause;
    if (isPost && route?.clientAction) {
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

function load(url: URL, init: RequestInit, browserFetch: typeof fetch): Promise<Response> {
  const controller = new AbortController();
  init.signal?.addEventListener("abort", () => controller.abort(init.signal?.reason));
  return wholeAnswer(url, init, controller, browserFetch);
}

/** Sends a form. One that is left by Back is sent all the same, and the next page tells its outcome. */
async function post(url: URL, init: RequestInit, browserFetch: typeof fetch): Promise<Response> {
  const sentFrom = window.__remixRouter?.state.location;
  const answer = wholeAnswer(url, init, new AbortController(), browserFetch);
  let isAborted = false;
  const tellIfLeft = (tellIt: () => void) => {
    const { location, navigation } = window.__remixRouter?.state ?? {};
    // A form in a row or a dialog outlives them: Remix then drops its answer.
    if (isAborted || location !== sentFrom || navigation?.state === "loading") tellIt();
  };
  answer.then(
    (response) => {
      const copy = response.clone();
      tellIfLeft(() => void tellOutcome(copy));
    },
    () => tellIfLeft(() => tell(noAnswerToLeftForm)),
  );
  const left = new Promise<never>((_resolve, reject) => {
    init.signal?.addEventListener("abort", () => {
      isAborted = true;
      reject(init.signal?.reason);
    });
  });
  return Promise.race([answer, left]);
}

/**
 * Waits for an answer to its last byte: a connection that breaks in the middle of it is no answer.
 * @throws TypeError when there is none
 */
async function wholeAnswer(
  url: URL | string,
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
    if (outcomeKey === null) connectionNotice.set(null);
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
  const redirect = response.headers.get("X-Remix-Redirect");
  const flash = new URL(redirect ?? "", location.href).searchParams.get(flashParam);
  if (flash) return readPageAgain(flash);
  const body = (await response.json().catch(() => null)) as LeftAnswer | null;
  const { error, answer, fieldErrors, leftMessage } = body ?? {};
  const rejection = Object.values(fieldErrors ?? {})[0];
  const isAccepted = redirect !== null || (response.ok && body !== null && !rejection);
  if (isAccepted) await readPageAgain();
  const outcome = isAccepted ? "accepted." : `not accepted${rejection ? `: ${rejection}` : "."}`;
  tell(error || answer?.text || leftMessage || `The form that you left was ${outcome}`);
}

/** Parts of the answers to forms that hold a message. */
type LeftAnswer = {
  error?: string;
  answer?: { text: string } | null;
  fieldErrors?: Record<string, string>;
  /** For those who don't see the rest of the answer. */
  leftMessage?: string;
};

/** Reads the page shown again, with a message if one is named. */
async function readPageAgain(flash?: string): Promise<void> {
  const { pathname, search, hash } = await new Promise<Address>((resolve) =>
    whenIdle((state) => resolve(state.location)),
  );
  const params = new URLSearchParams(search);
  if (flash) params.set(flashParam, flash);
  const address = { pathname, search: params.size > 0 ? `?${params}` : "", hash };
  await window.__remixRouter?.navigate(address, inPlace);
}

/** Shows a message on the page that is shown when the router is idle, until another one is. */
function tell(message: string): void {
  whenIdle(({ location: { key } }) => {
    outcomeKey = key;
    connectionNotice.set(message);
  });
}

function whenIdle(task: (state: Router["state"]) => void): void {
  const router = window.__remixRouter;
  if (!router) return;
  const isIdle = ({ navigation, fetchers }: Router["state"]) =>
    navigation.state === "idle" && [...fetchers.values()].every(({ state }) => state === "idle");
  if (isIdle(router.state)) return task(router.state);
  const unsubscribe = router.subscribe((state) => {
    if (!isIdle(state)) return;
    unsubscribe();
    task(state);
  });
}

/** Keeps what is shown from being read again because of a form whose request failed. */
function keepUntilIdle(): void {
  isKept = true;
  whenIdle(() => (isKept = false));
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
  if (outcomeKey === null || outcomeKey === window.__remixRouter?.state.location.key) return;
  outcomeKey = null;
  connectionNotice.set(null);
}
