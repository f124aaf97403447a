import { RemixBrowser } from "@remix-run/react";
import { startTransition, StrictMode } from "react";
import { hydrateRoot } from "react-dom/client";

function hydrate() {
  startTransition(() => {
    hydrateRoot(
      document,
      <StrictMode>
        <RemixBrowser />
      </StrictMode>,
    );
  });
}

// The page works without us: what the person does now comes first. Safari has no requestIdleCallback.
if (typeof requestIdleCallback === "function") requestIdleCallback(hydrate, { timeout: 2000 });
else setTimeout(hydrate, 1);
