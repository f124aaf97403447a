import type { Logger } from "pino";
import type { Message } from "../http/messages.server";
import type { Session } from "../http/sessions.server";

declare module "@remix-run/server-runtime" {
  /** Facts about the request that every loader and action gets. */
  interface AppLoadContext {
    cspNonce: string;
    requestId: string;
    clientAddress: string;
    /** The header that names the browser; '' without one. */
    userAgent: string;
    /** Whether the request sent a form; loaders are given a GET after its action. */
    isPosted: boolean;
    /** Whether the answer is a document, as without scripts, rather than data for the page shown. */
    isDocument: boolean;
    /** The session of the browser, looked up once for all loaders of a request. */
    session?: Promise<Session | null>;
    /** The user of the session or the bearer, once it is known. */
    userId?: string;
    log: Logger;
    /**
     * Whether an action refused its form. Without scripts, the loader of the same request answers it with a title that
     * begins with 'Error:'.
     */
    wasRefused: boolean;
    /** Messages of an action for the page that answers it, where no form of the page shows them. */
    notices?: Message[];
    /** The unexpected error of this request, noted by `handleError`, or why it is answered with 503. */
    fault?: unknown;
  }
}
