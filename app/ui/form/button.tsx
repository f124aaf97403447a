// Without script: real buttons and links; a Button submits its form.
import { Link, type LinkProps } from "@remix-run/react";
import type { ComponentPropsWithoutRef } from "react";
import { Icon, type IconName } from "../icon/icon";
import * as css from "./button.css";

type Look = {
  /** One primary a screen: the main action. `danger` is for what can't be taken back. */
  variant?: keyof typeof css.button;
  size?: keyof typeof css.sizes;
  icon?: IconName;
};

const classOf = ({ variant = "default", size = "medium" }: Look, more = "") =>
  `${css.button[variant]} ${css.sizes[size]} ${more}`.trim();

export type ButtonProps = Look & Omit<ComponentPropsWithoutRef<"button">, "style">;

export function Button({ variant, size, icon, className, children, ...rest }: ButtonProps) {
  return (
    <button type="submit" {...rest} className={classOf({ variant, size }, className)}>
      {icon && <Icon name={icon} />}
      {children}
    </button>
  );
}

export type ButtonLinkProps = Look & Omit<LinkProps, "style">;

export function ButtonLink({ variant, size, icon, className, children, ...rest }: ButtonLinkProps) {
  return (
    <Link {...rest} className={classOf({ variant, size }, className)}>
      {icon && <Icon name={icon} />}
      {children}
    </Link>
  );
}

type IconLook = {
  icon: IconName;
  /** Accessible name with its object: 'Delete Summer 10 %'. */
  label: string;
};

export function IconButton({
  icon,
  label,
  ...rest
}: IconLook & Omit<ComponentPropsWithoutRef<"button">, "style" | "className" | "children">) {
  return (
    <button type="submit" {...rest} className={css.iconOnly} title={label} aria-label={label}>
      <Icon name={icon} />
    </button>
  );
}

export function IconButtonLink({
  icon,
  label,
  ...rest
}: IconLook & Omit<LinkProps, "style" | "className" | "children">) {
  return (
    <Link {...rest} className={css.iconOnly} title={label} aria-label={label}>
      <Icon name={icon} />
    </Link>
  );
}

/** The same in a row of a Table, which turns plain links into client navigations. */
export function IconRowLink({
  icon,
  label,
  ...rest
}: IconLook & Omit<ComponentPropsWithoutRef<"a">, "style" | "className" | "children">) {
  return (
    <a {...rest} className={css.iconOnly} title={label} aria-label={label}>
      <Icon name={icon} />
    </a>
  );
}
