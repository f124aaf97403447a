import { RemixBrowser } from "@remix-run/react";
import { startTransition, StrictMode } from "react";
import { hydrateRoot } from "react-dom/client";
import { unstable_forceFrameRate as forceFrameRate } from "scheduler";
import { keepAnswersOnPage } from "./remix/router";
import { stayOnPage } from "./ui/connection/stay-on-page";
import { afterHydration } from "./ui/overlay/focus";

/**
 * Takes the page over in slices of 50 ms, the longest that nobody notices, and gives React its own 5 ms back. On a
 * processor of a sixth of the speed, the pauses between slices of 5 ms are an eighth of the time until a list is hydrated.
 */
function hydrate() {
  forceFrameRate(20);
  afterHydration(() => forceFrameRate(0));
  startTransition(() => {
    hydrateRoot(
      document,
      <StrictMode>
        <RemixBrowser />
      </StrictMode>,
    );
  });
}

/** Loads what dialogs need, so that the first one opens at once and without a connection too. */
function preloadDialogs() {
  const { connection } = navigator as { connection?: { saveData?: boolean } };
  if (!connection?.saveData) void import("./dialog-routes").catch(() => undefined);
}

/** Fetches the style sheet for the next page, and remembers that it is there (`server/first-styles`). */
function loadStyles() {
  const link = document.querySelector<HTMLLinkElement>("link[disabled]");
  if (!link) return;
  const name = link.href.split("/").pop();
  link.onload = () => (document.cookie = `sheet=${name};path=/;samesite=lax;max-age=31536000`);
  link.disabled = false;
}

/** Safari has no requestIdleCallback. */
function whenIdle(task: () => void, options?: IdleRequestOptions) {
  if (typeof requestIdleCallback === "function") requestIdleCallback(task, options);
  else setTimeout(task, 1);
}

/** Whether the browser has all that scripts use. An older one works as one without scripts, as the README says. */
const isSupported =
  "popover" in HTMLElement.prototype && "checkVisibility" in Element.prototype && "canParse" in URL;

if (isSupported) {
  stayOnPage();
  afterHydration(keepAnswersOnPage);
  afterHydration(loadStyles);
  afterHydration(() => whenIdle(preloadDialogs));
  // The page works without us: what the person does now comes first.
  whenIdle(hydrate, { timeout: 2000 });
}
