import type { Logger } from "pino";

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
    /** The user of the session or the bearer, once it is known. */
    userId?: string;
    log: Logger;
    /** The unexpected error of this request, noted by `handleError`, or why it is answered with 503. */
    fault?: unknown;
  }
}
