import { RemixBrowser } from "@remix-run/react";
import { startTransition, StrictMode } from "react";
import { hydrateRoot } from "react-dom/client";
import { unpackRows } from "./format/packed-rows";
import { keepPageWithoutAnswer } from "./ui/connection/keep-page";
import { afterHydration } from "./ui/overlay/focus";

function hydrate() {
  const { state } = window.__remixContext;
  state.loaderData = unpackRows(state.loaderData!);
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

/** Safari has no requestIdleCallback. */
function whenIdle(task: () => void, options?: IdleRequestOptions) {
  if (typeof requestIdleCallback === "function") requestIdleCallback(task, options);
  else setTimeout(task, 1);
}

keepPageWithoutAnswer();
afterHydration(() => whenIdle(preloadDialogs));
// The page works without us: what the person does now comes first.
whenIdle(hydrate, { timeout: 2000 });
