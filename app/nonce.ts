import { createContext, useContext } from "react";

/** The nonce of this document's scripts; the browser never needs it. */
export const NonceContext = createContext<string | undefined>(undefined);

export function useNonce(): string | undefined {
  return useContext(NonceContext);
}

/** Whether a document is an error page; false in browsers, whose scripts run on after an error. */
export const ErrorPageContext = createContext(false);
