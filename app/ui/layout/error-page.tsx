// Without script: the same; these pages load none.
import { useState } from "react";
import { muted } from "#styles/global.css";
import { ButtonLink } from "../form/button";
import { isHydrated } from "../overlay/hydration";
import * as css from "./error-page.css";

const words: Record<number, { title: string; text?: string }> = {
  403: {
    title: "You can't open this page",
    text: "Your account has no permission for it. An administrator can change that.",
  },
  404: { title: "Oops. Looks like the page you're looking for no longer exists" },
  500: {
    title: "Something went wrong",
    text: "The fault is on our side and has been recorded. Please try again.",
  },
  503: {
    title: "The service is not available right now",
    text: "Please try again in a moment. Nothing that was saved is lost.",
  },
};

export function errorTexts(status: number) {
  return (
    words[status] ??
    (status < 500
      ? { title: "This request can't be answered", text: "Please go back and try again." }
      : words[500]!)
  );
}

type ErrorProps = {
  status: number;
  homeHref: string;
  /** What support looks for in the log. */
  requestId?: string | undefined;
};

/** Inside a page that has its own <main>. */
export function ErrorContent({ status, homeHref, requestId }: ErrorProps) {
  const { title, text } = errorTexts(status);
  // After a client navigation it would be the number of the document before.
  const [isOfThisRequest] = useState(() => !isHydrated());
  return (
    <div className={css.content}>
      <p className={css.status}>{status}</p>
      <h1 tabIndex={-1}>{title}</h1>
      {text && <p className={muted}>{text}</p>}
      {requestId && isOfThisRequest && status >= 500 && (
        <p className={muted}>
          Request <code>{requestId}</code>
        </p>
      )}
      <p className={css.action}>
        <ButtonLink to={homeHref} variant="primary" reloadDocument>
          Back to Home
        </ButtonLink>
      </p>
    </div>
  );
}

export function ErrorPage(props: ErrorProps) {
  return (
    <main className={css.page}>
      <ErrorContent {...props} />
    </main>
  );
}
