// Without script: the same; these pages load none.
import { isRouteErrorResponse, useRouteLoaderData } from "@remix-run/react";
import { useState, type ReactNode } from "react";
import { muted } from "#styles/global.css";
import { paths } from "../../paths";
import { ButtonLink } from "../form/button";
import { button } from "../form/button.css";
import { isHydrated } from "../overlay/focus";
import * as css from "./layout.css";
import { ProductName } from "./site-name";
import { page } from "./public-page.css";

type ErrorTexts = {
  title: string;
  text?: string;
  /** Stands where the error brings no message. */
  fallback?: string;
};

const textsByStatus: Record<number, ErrorTexts> = {
  403: {
    title: "You can't open this page",
    text: "Your account has no permission for it. Ask an admin for access.",
  },
  404: { title: "Oops. Looks like the page you're looking for no longer exists" },
  503: {
    title: "The service is not available right now",
    fallback: "Please try again in a moment. Nothing that was saved is lost.",
  },
};
const requestFailed: ErrorTexts = {
  title: "This request can't be answered",
  fallback: "Please go back and try again.",
};
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
  const text = texts.text ?? messageOf(error) ?? texts.fallback;
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
};

/** Facts of the request that the root knows: its id in the log, for support, and whether it sent a form. */
type RequestFacts = { requestId: string; isPosted?: boolean };

/** Inside a page that has its own <main>; `children` are further ways to go on. */
export function ErrorContent({ error, children }: ErrorProps & { children?: ReactNode }) {
  const { status, title, text } = errorTexts(error);
  const root = useRouteLoaderData<RequestFacts>("root");
  // After a client navigation the root's facts would be those of the document before.
  const [isFirst] = useState(() => !isHydrated());
  const request = isFirst ? root : undefined;
  // A link would not send a form again; '/500' is no page that failed.
  const canRetry = status >= 500 && typeof error !== "number" && !request?.isPosted;
  return (
    <div className={css.errorContent}>
      <p className={css.errorStatus}>{status}</p>
      <h1 tabIndex={-1}>{title}</h1>
      {text && <p className={muted}>{text}</p>}
      {request && status >= 500 && (
        <p className={muted}>
          Request <code>{request.requestId}</code>
        </p>
      )}
      <p className={css.errorActions}>
        {canRetry && (
          // eslint-disable-next-line jsx-a11y/anchor-is-valid -- the empty address is that of the page, with its query
          <a href="" className={button.primary}>
            Try again
          </a>
        )}
        {children}
        <ButtonLink to={paths.home} variant={canRetry ? "default" : "primary"} reloadDocument>
          Back to Home
        </ButtonLink>
      </p>
    </div>
  );
}

/** Outside of the shell, which has the product's name. */
export function ErrorPage(props: ErrorProps) {
  return (
    <main className={page}>
      <ProductName />
      <ErrorContent {...props} />
    </main>
  );
}
