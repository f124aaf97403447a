import type { Logger } from "pino";

declare module "@remix-run/server-runtime" {
  /** Facts about the request that the HTTP pipeline passes to every loader and action. */
  interface AppLoadContext {
    cspNonce: string;
    requestId: string;
    clientAddress: string;
    log: Logger;
    /** The unexpected error of this request, noted by `handleError` for the HTTP pipeline. */
    fault?: unknown;
  }
}

export type { AppLoadContext } from "@remix-run/server-runtime";
