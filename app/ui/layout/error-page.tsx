// Without script: the same; these pages load none.
import { isRouteErrorResponse } from "@remix-run/react";
import { useState } from "react";
import { muted } from "#styles/global.css";
import { paths } from "../../paths";
import { ButtonLink } from "../form/button";
import { isHydrated } from "../overlay/focus";
import * as css from "./layout.css";

type ErrorTexts = { title: string; text?: string };

const textsByStatus: Record<number, ErrorTexts> = {
  403: {
    title: "You can't open this page",
    text: "Your account has no permission for it. Ask an admin for access.",
  },
  404: { title: "Oops. Looks like the page you're looking for no longer exists" },
  503: {
    title: "The service is not available right now",
    text: "Please try again in a moment. Nothing that was saved is lost.",
  },
};
const requestFailed: ErrorTexts = { title: "This request can't be answered" };
const serverFailed: ErrorTexts = {
  title: "Something went wrong",
  text: "The fault is on our side and has been recorded. Please try again.",
};

/**
 * Returns what an error page shows: the message of the error, unless its status has a text of its own.
 * @param error what a route threw, or a status
 */
export function errorTexts(error: unknown): ErrorTexts & { status: number } {
  const fallbackStatus = typeof error === "number" ? error : 500;
  const status = isRouteErrorResponse(error) ? error.status : fallbackStatus;
  const texts = textsByStatus[status] ?? (status < 500 ? requestFailed : serverFailed);
  const fallback = texts === requestFailed ? "Please go back and try again." : undefined;
  const text = texts.text ?? messageOf(error) ?? fallback;
  return { status, title: texts.title, ...(text !== undefined && { text }) };
}

/** Passes over the router's own errors: they name routes and handlers, not what a person did. */
function messageOf(error: unknown): string | undefined {
  if (!isRouteErrorResponse(error) || (error as { internal?: boolean }).internal) return undefined;
  return typeof error.data === "string" && error.data !== "" ? error.data : undefined;
}

type ErrorProps = {
  /** The value that a route threw, or a status. */
  error: unknown;
  /** Id of the request in the log, for support. */
  requestId?: string | undefined;
};

/** Inside a page that has its own <main>. */
export function ErrorContent({ error, requestId }: ErrorProps) {
  const { status, title, text } = errorTexts(error);
  // After a client navigation it would be the number of the document before.
  const [isOfThisRequest] = useState(() => !isHydrated());
  return (
    <div className={css.errorContent}>
      <p className={css.errorStatus}>{status}</p>
      <h1 tabIndex={-1}>{title}</h1>
      {text && <p className={muted}>{text}</p>}
      {requestId && isOfThisRequest && status >= 500 && (
        <p className={muted}>
          Request <code>{requestId}</code>
        </p>
      )}
      <p className={css.errorAction}>
        <ButtonLink to={paths.home} variant="primary" reloadDocument>
          Back to Home
        </ButtonLink>
      </p>
    </div>
  );
}

export function ErrorPage(props: ErrorProps) {
  return (
    <main className={css.errorPage}>
      <ErrorContent {...props} />
    </main>
  );
}
