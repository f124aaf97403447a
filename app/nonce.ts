import { createContext, useContext } from "react";

/** The nonce of this document's scripts; the browser never needs it. */
export const NonceContext = createContext<string | undefined>(undefined);

export function useNonce(): string | undefined {
  return useContext(NonceContext);
}
