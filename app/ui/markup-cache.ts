import { createContext, useContext, type ReactElement } from "react";

/**
 * Renders what few facts decide once for all pages that share them. Only the server has it; the browser hydrates such
 * markup like any other.
 * @param key everything that the element depends on; it reads no context
 */
export type CachedMarkup = (key: string, element: () => ReactElement) => string;

export const MarkupCacheContext = /* @__PURE__ */ createContext<CachedMarkup | null>(null);

type Content = { children: ReactElement } | { dangerouslySetInnerHTML: { __html: string } };

/** Returns a function that makes the properties of an element with some content, which the server keeps by its key. */
export const useCachedMarkup: () => (
  key: () => string | null,
  content: () => ReactElement,
) => Content = import.meta.env.SSR
  ? () => {
      const cached = useContext(MarkupCacheContext);
      return (keyOf, content) => {
        const key = cached && keyOf();
        if (!cached || key === null) return { children: content() };
        // eslint-disable-next-line no-restricted-syntax -- React has rendered and escaped it
        return { dangerouslySetInnerHTML: { __html: cached(key, content) } };
      };
    }
  : () => (_key, content) => ({ children: content() });
