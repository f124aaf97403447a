import type { Logger } from "pino";

declare module "@remix-run/server-runtime" {
  /** What the front door tells every loader and action about the request. */
  interface AppLoadContext {
    cspNonce: string;
    requestId: string;
    clientAddress: string;
    log: Logger;
    /** The unexpected error of this request, noted by `handleError` for the front door. */
    fault?: unknown;
  }
}

export type { AppLoadContext } from "@remix-run/server-runtime";
