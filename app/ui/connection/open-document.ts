/**
 * Opens another document only where the server answers: without scripts of ours in between, the
 * browser's error page would replace what is shown (RULES H6).
 */
import { isPlainClick } from "../plain-click";
import { connectionNotice, noConnection } from "./connection-notice";
import { isServerReachable } from "./probe";

/** True while a document is opened that the server was found to answer. */
let isReached = false;

/** Watches the forms and links that Remix leaves to the browser. Called once. */
export function probeBeforeDocuments(): void {
  addEventListener("submit", (event) => {
    const form = event.target as HTMLFormElement;
    onlyReachable(event, () => form.requestSubmit(event.submitter));
  });
  addEventListener("click", (event) => {
    const link = event.target instanceof Element && event.target.closest("a");
    if (link && opensDocument(link, event)) onlyReachable(event, () => link.click());
  });
}

function onlyReachable(event: Event, open: () => void): void {
  if (event.defaultPrevented || isReached) return;
  event.preventDefault();
  void isServerReachable().then((isReachable) => {
    if (!isReachable) return connectionNotice.set(noConnection, open);
    isReached = true;
    open();
    isReached = false;
  });
}

/** Tells whether a click on a link replaces this page by another document. */
function opensDocument(link: HTMLAnchorElement, event: MouseEvent): boolean {
  const isOther = link.pathname + link.search !== location.pathname + location.search;
  const isHere = link.origin === location.origin && !link.target && !link.download;
  return isPlainClick(event) && isOther && isHere;
}
