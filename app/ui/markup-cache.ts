import { createContext, useContext, type ReactElement } from "react";

/**
 * Renders what few facts decide once for all pages that share them. Only the server has it; the browser hydrates such
 * markup like any other.
 * @param key everything that the element depends on; it reads no context
 */
export type CachedMarkup = (key: string, element: () => ReactElement) => string;

export const MarkupCacheContext = /* @__PURE__ */ createContext<CachedMarkup | null>(null);

/** Returns the properties of an element with such content, on the server. */
export function useCachedContent(key: string, content: () => ReactElement) {
  const cached = useContext(MarkupCacheContext);
  if (!cached) return { children: content() };
  const __html = cached(key, content);
  // eslint-disable-next-line no-restricted-syntax -- React has rendered and escaped it
  return { dangerouslySetInnerHTML: { __html } };
}
