import { Link } from "@remix-run/react";
import type { RemixLinkProps } from "@remix-run/react/dist/components";

export type KeptLinkProps = Omit<RemixLinkProps, "to"> & {
  /** An address from the root: kept markup doesn't know its page. */
  to: string;
};

/** A link whose markup doesn't need the router, so that the server can keep it (`useCachedMarkup`). */
export const KeptLink = import.meta.env.SSR ? PlainLink : Link;

function PlainLink({
  to,
  prefetch: _prefetch,
  reloadDocument: _isDocument,
  preventScrollReset: _keepsScroll,
  ...link
}: KeptLinkProps) {
  // eslint-disable-next-line jsx-a11y/anchor-has-content -- its properties hold it
  return <a {...link} href={to} />;
}
