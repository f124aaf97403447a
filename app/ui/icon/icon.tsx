// Without script: the same; one cached file holds every symbol. Always beside words, or inside a control that has a name.
import * as css from "./icon.css";
import sprite from "./sprite.svg?url";

export type IconName =
  | "alert"
  | "arrow-down"
  | "arrow-up"
  | "calendar"
  | "check"
  | "chevron-down"
  | "chevron-left"
  | "chevron-right"
  | "close"
  | "dashboard"
  | "download"
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
  | "user";

export function iconHref(name: IconName): string {
  return `${sprite}#${name}`;
}

export function Icon({ name, size = "medium" }: { name: IconName; size?: "small" | "medium" }) {
  return (
    <svg aria-hidden="true" className={size === "small" ? `${css.icon} ${css.small}` : css.icon}>
      <use href={iconHref(name)} />
    </svg>
  );
}
