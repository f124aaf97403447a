// Without script: never loaded; each page is then of the newest version.
import { useEffect, useRef, useState } from "react";
import { createRoot } from "react-dom/client";
import { openNextPagesAsDocuments } from "../../remix/next-document";
import { releaseVersion } from "../../remix/route-scripts";
import * as css from "../feedback/feedback.css";
import { MessageBlock } from "../feedback/message-block";
import { hasUnsavedInput } from "../form/unsaved-input";
import { focusHeading } from "../overlay/focus";
import { isServerReachable } from "./probe";

const checkEveryMs = 900_000;

/**
 * Registers the service worker, lets the browser look for a new one in regular intervals, and offers the version
 * that it belongs to. Called once, while the browser is idle.
 */
export function offerNewVersions(): void {
  const { serviceWorker } = navigator as Partial<Navigator>;
  if (!serviceWorker || !import.meta.env.PROD) return;
  const version = releaseVersion();
  serviceWorker.onmessage = ({ data }) => {
    if (data === version) return;
    serviceWorker.onmessage = null;
    offerVersion();
  };
  // Some browsers refuse workers in private windows.
  serviceWorker.register(`/service-worker.js?v=${version}`).catch(() => undefined);
  setInterval(() => {
    serviceWorker
      .getRegistration()
      .then((registration) => registration?.update())
      .catch(() => console.info("Offline mode"));
  }, checkEveryMs);
}

/** The next page is opened as a document, so that it is of the new version; nothing that was entered is lost. */
function offerVersion(): void {
  openNextPagesAsDocuments(isServerReachable);
  const container = document.body.appendChild(document.createElement("div"));
  const root = createRoot(container);
  root.render(
    <VersionOffer
      onDismiss={() => {
        root.unmount();
        focusHeading();
      }}
    />,
  );
}

function VersionOffer({ onDismiss }: { onDismiss: () => void }) {
  const [isStaying, setIsStaying] = useState(false);
  // A region that is mounted together with its words is not announced.
  const [isMounted, setIsMounted] = useState(false);
  useEffect(() => setIsMounted(true), []);
  const later = useRef<HTMLButtonElement>(null);
  function stay() {
    setIsStaying(true);
    later.current?.focus();
  }
  return (
    <section aria-label="New version" role="status" className={css.newVersion}>
      {isMounted && (
        <MessageBlock
          kind="info"
          action={
            <>
              {!isStaying && (
                <button
                  type="button"
                  className={css.retry}
                  onClick={() => (hasUnsavedInput("main") ? stay() : location.reload())}
                >
                  Load it now
                </button>
              )}
              <button ref={later} type="button" className={css.retry} onClick={onDismiss}>
                Later
              </button>
            </>
          }
        >
          {isStaying
            ? "This page has input that is not saved. The new version comes with the next page that you open."
            : "A new version is available. It comes with the next page that you open."}
        </MessageBlock>
      )}
    </section>
  );
}
