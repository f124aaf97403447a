// Without script: the same. Always beside words, or inside a control that has a name.
import { useCachedMarkup } from "../markup-cache";
import * as css from "./icon.css";
import sprite from "./sprite.svg?raw";

export type IconName =
  | "alert"
  | "arrow-down"
  | "arrow-up"
  | "calendar"
  | "chart"
  | "check"
  | "chevron-down"
  | "chevron-left"
  | "chevron-right"
  | "close"
  | "dashboard"
  | "download"
  | "edit"
  | "faq"
  | "info"
  | "key"
  | "machine"
  | "menu"
  | "palette"
  | "plus"
  | "power"
  | "qr-generation"
  | "qr-list"
  | "receipt"
  | "refresh"
  | "restore"
  | "scan"
  | "search"
  | "sign-out"
  | "support"
  | "trash"
  | "user"
  | "users";

export function iconHref(name: IconName): string {
  return `#i-${name}`;
}

/** Returns the symbols of the file, which has one on each line. */
function symbols(): string {
  const lines = sprite.matchAll(/<symbol id="([^"]+)".*/g);
  return [...lines].map(([symbol]) => symbol.replace('id="', 'id="i-')).join("");
}

/**
 * The symbols of all icons, once at the top of a page, so that they come with its first paint. The server writes
 * them, those that are used where no script runs, and the browser keeps what is there.
 */
export function IconSprite() {
  const cachedMarkup = useCachedMarkup();
  const content = import.meta.env.SSR
    ? // eslint-disable-next-line no-restricted-syntax -- the file is ours
      cachedMarkup("icons", () => <svg dangerouslySetInnerHTML={{ __html: symbols() }} />)
    : // eslint-disable-next-line no-restricted-syntax -- it has no content
      { dangerouslySetInnerHTML: { __html: "" } };
  return <div hidden suppressHydrationWarning {...content} />;
}

export function Icon({ name, size = "medium" }: { name: IconName; size?: "small" | "medium" }) {
  return (
    <svg aria-hidden="true" className={size === "small" ? css.small : undefined}>
      <use href={iconHref(name)} />
    </svg>
  );
}
