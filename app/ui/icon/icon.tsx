// Without script: the same. Always beside words, or inside a control that has a name.
import { createContext, useContext } from "react";
import * as css from "./icon.css";

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
  | "grid"
  | "docs"
  | "download"
  | "edit"
  | "faq"
  | "history"
  | "info"
  | "jobs"
  | "key"
  | "keyboard"
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
  | "settings"
  | "sign-out"
  | "support"
  | "trash"
  | "user"
  | "users"
  | "webhook";

/** The file of all icons; only the server has it. */
export const IconSpriteContext = createContext("");

/**
 * The symbols of all icons, once at the top of a page, so that they come with its first paint. The browser keeps what
 * the server has written.
 */
export function IconSprite() {
  const sprite = useContext(IconSpriteContext);
  // eslint-disable-next-line no-restricted-syntax -- the file is ours
  return <div hidden suppressHydrationWarning dangerouslySetInnerHTML={{ __html: sprite }} />;
}

export function Icon({ name, size = "medium" }: { name: IconName; size?: "small" | "medium" }) {
  return (
    <svg aria-hidden="true" className={size === "small" ? css.smallIcon : css.icon}>
      <use href={`#i-${name}`} />
    </svg>
  );
}
