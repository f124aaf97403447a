import { createContext, useContext, type ReactNode } from "react";

/**
 * Renders what few facts decide once for all pages that share them. Only the server has it; the browser hydrates such
 * markup like any other.
 * @param key everything that the content depends on; it reads no context
 */
export type CachedMarkup = (key: string, content: () => ReactNode) => string;

export const MarkupCacheContext = /* @__PURE__ */ createContext<CachedMarkup | null>(null);

type Content = { children: ReactNode } | { dangerouslySetInnerHTML: { __html: string } };

/**
 * Returns a function that makes the properties of an element with some content, which the server keeps by its key. Callers
 * write `import.meta.env.SSR &&` before a key, so that browsers get nothing of it.
 */
export const useCachedMarkup: () => (
  key: string | false | undefined,
  content: () => ReactNode,
) => Content = import.meta.env.SSR
  ? () => {
      const cached = useContext(MarkupCacheContext);
      return (key, content) =>
        cached && key
          ? // eslint-disable-next-line no-restricted-syntax -- React has rendered and escaped it
            { dangerouslySetInnerHTML: { __html: cached(key, content) } }
          : { children: content() };
    }
  : () => (_key, content) => ({ children: content() });
