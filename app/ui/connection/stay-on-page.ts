/**
 * Stays on the page with what was entered when a request of the running app gets no answer (RULES H6).
 * Remix would replace the page by its error page, or reload it into the browser's. Everything that
 * it sends passes through here: links, forms, fetchers, refreshes and the scripts of other pages.
 */
import { isEarlyRejection, noAnswerMessage } from "../../forms/network-errors";
import { pageSearch } from "../../lists/list-params";
import { thrownHeader } from "../../remix/data-requests";
import { interceptDataRequests } from "../../remix/fetch";
import {
  cancelNavigation,
  isCancelling,
  isPageShown,
  routerState,
  shownData,
  whenIdle,
} from "../../remix/router";
import {
  giveUp,
  goOnAsDocument,
  isUsable,
  loadRouteScripts,
  routeModule,
} from "../../remix/route-scripts";
import { connectionNotice, noConnection } from "./connection-notice";
import { noteSubmission, post } from "./left-forms";
import { probeBeforeDocuments } from "./open-document";
import { isServerReachable } from "./probe";
import { fetchWhole } from "./whole-answer";

/** True from the moment a form fails until the router is idle: what the page shows is not read again. */
let isStaleData = false;

/** Buttons that sent forms, by their forms, and the form that was sent last. */
const submitters = new WeakMap<HTMLFormElement, HTMLElement | null>();
let lastForm: HTMLFormElement | null = null;

/** Sends a form again, as its button did: the one around the element, else the one that was sent last. */
export function submitAgain({ currentTarget }: { currentTarget: Element }): void {
  const form = currentTarget.closest("form") ?? lastForm;
  if (!form?.isConnected) return;
  const submitter = submitters.get(form);
  // The pressed button goes while the form is being sent, and would take the focus with it.
  submitter?.focus();
  form.requestSubmit(submitter?.isConnected ? submitter : null);
}

/** Installs the guard. Called once, before hydration. */
export function stayOnPage(): void {
  interceptDataRequests(answerOf);
  loadRouteScripts(goOnWithoutScript);
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
}

/** Goes on as the page does without scripts if the server answers, and otherwise stays on the page. */
async function goOnWithoutScript(routeId: string): Promise<never> {
  if (await isServerReachable()) return goOnAsDocument(routeId);
  connectionNotice.set(noConnection);
  return giveUp(routeId);
}

/** Answers a request of a loader or an action, whatever happens to it. */
async function answerOf(routeId: string, url: URL, init: RequestInit): Promise<Response> {
  const isPost = (init.method ?? "GET") !== "GET";
  if (isCancelling() && !isPost) return shownData(routeId) ?? neverAnswered();
  if (isPost) isStaleData = false;
  const stale = isStaleData && isPageShown(url) && shownData(routeId);
  if (stale) return stale;
  // Remix sends a form while it loads the route's script; without one the browser sends it.
  if (isPost && !(await isUsable(routeId))) return neverAnswered();
  const route = routeModule(routeId);
  try {
    const response = await (isPost ? post : load)(url, init);
    // Nothing has changed, and reading the page again without a session would lead to the sign-in page.
    const isRejected = response.headers.has(thrownHeader) && isEarlyRejection(response);
    if (isPost && route?.clientAction && isRejected) reuseDataUntilIdle();
    const isRetryable = response.status >= 500 || response.status === 429;
    const isShown = !isPost && isRetryable && isPageShown(url);
    return (isShown && !route?.clientLoader && shownData(routeId)) || response;
  } catch (cause) {
    if (init.signal?.aborted || !(cause instanceof TypeError)) throw cause;
    if (isPost && route?.clientAction) {
      reuseDataUntilIdle();
      throw cause;
    }
    if (isPost) {
      connectionNotice.set(noAnswerMessage);
      return Response.json({ error: noAnswerMessage });
    }
    // A list that is read again shows its old rows with the reason, and a dialog its frame.
    if (route?.clientLoader && isRefresh(url)) throw cause;
    const data = isPageShown(url) ? shownData(routeId) : null;
    if (data) return data;
    connectionNotice.set(noConnection);
    cancelNavigation();
    return neverAnswered();
  }
}

/** Tells whether a request reads the same page again, rather than the list in another order. */
function isRefresh({ pathname, searchParams }: URL): boolean {
  const { search } = routerState()!.location;
  return (
    pathname === location.pathname &&
    pageSearch(searchParams) === pageSearch(new URLSearchParams(search))
  );
}

function load(url: URL, init: RequestInit): Promise<Response> {
  const controller = new AbortController();
  init.signal?.addEventListener("abort", () => controller.abort(init.signal?.reason));
  return fetchWhole(url, init, controller);
}

/** Keeps what is shown from being read again because of a form whose request failed. */
function reuseDataUntilIdle(): void {
  isStaleData = true;
  whenIdle(() => (isStaleData = false));
}

function neverAnswered(): Promise<Response> {
  return new Promise(() => {});
}
