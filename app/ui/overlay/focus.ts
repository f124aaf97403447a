import { useSyncExternalStore } from "react";

const RETRY_MS = 50;
const GIVE_UP_MS = 2000;

/** The screen's heading: where reading a new page begins. */
export function focusHeading(options?: FocusOptions): void {
  document.querySelector<HTMLElement>("main h1")?.focus(options);
}

/** Focuses the link of the screen to a path, or the heading without one. Neither is scrolled to: Back restores the place. */
export function focusLinkTo(path: string): void {
  const links = document.querySelectorAll<HTMLAnchorElement>("main a[href]");
  const link = [...links].find(({ pathname }) => pathname === path);
  link?.focus({ preventScroll: true });
  if (!link || document.activeElement !== link) focusHeading({ preventScroll: true });
}

/** Gives the focus back to a control, or to the heading if it is gone, hidden, or was the page itself. */
export function returnFocus(control: EventTarget | null): void {
  if (control instanceof HTMLElement) control.focus();
  if (document.activeElement !== control || control === document.body) focusHeading();
}

/** The message that answers what was just done, else the heading. */
function focusAnswer(): void {
  const messages = document.getElementById("messages");
  if (messages?.textContent) messages.focus();
  else focusHeading();
}

function findTarget(idOrPath: string): HTMLElement | null | undefined {
  if (!idOrPath.startsWith("/")) return document.getElementById(idOrPath);
  return [...document.links].find(({ pathname }) => pathname === idOrPath);
}

/**
 * Focuses the element with this id, or the link to this path, as soon as the page behind a closing dialog is no longer inert. When it does not
 * come back (its row was deleted), the page gets the focus; when somebody has moved on meanwhile, they keep it.
 */
export function focusWhenReachable(idOrPath: string): () => void {
  const start = Date.now();
  let timer: ReturnType<typeof setTimeout> | undefined;

  function attempt(isFirst: boolean) {
    const active = document.activeElement;
    const isLost = !active || active === document.body || !active.isConnected;
    const isFree = isLost || active.tagName === "H1";
    const target = findTarget(idOrPath);
    if ((isFirst || isFree) && target && !target.closest("[inert],[aria-hidden='true']")) {
      target.focus();
      if (document.activeElement === target) return;
    }
    if (!isFree) return;
    if (Date.now() - start < GIVE_UP_MS) timer = setTimeout(attempt, RETRY_MS, false);
    else if (isLost) focusAnswer();
  }

  attempt(true);
  return () => clearTimeout(timer);
}

let openDialogs = 0;

/** Tells whether a modal is over the page, which looks after the focus itself. */
export function isDialogOpen(): boolean {
  return openDialogs > 0;
}

/** Called when a modal opens; the function that it returns is called when the modal closes. */
export function registerOpenDialog(): () => void {
  openDialogs += 1;
  return () => {
    openDialogs -= 1;
  };
}

let hydrated = false;
const afterwards: (() => void)[] = [];

/** False on the server and while the first document is being adopted, so that both render the same. */
export function isHydrated(): boolean {
  return hydrated;
}

/** Called once by the root, after its first effect. */
export function markHydrated(): void {
  hydrated = true;
  for (const task of afterwards.splice(0)) task();
}

/** Tells whether scripts run; false on the server and during hydration. */
export function useAreScriptsRunning(): boolean {
  return useSyncExternalStore(
    () => () => {},
    () => true,
    () => false,
  );
}

/** Runs a task once after the page is hydrated. */
export function afterHydration(task: () => void): void {
  afterwards.push(task);
}
