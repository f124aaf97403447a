// Without script: real buttons and links; a Button submits its form, and the server's idempotency key is the guard against a double press.
import { Link, type LinkProps } from "@remix-run/react";
import type { ComponentPropsWithoutRef, MouseEvent, ReactNode } from "react";
import { Icon, type IconName } from "../icon/icon";
import * as css from "./button.css";

type Look = {
  /** One primary a screen: the main action. `danger` is for what can't be taken back. */
  variant?: keyof typeof css.button;
  size?: keyof typeof css.sizes;
  icon?: IconName;
};

const classOf = ({ variant = "default", size = "medium" }: Look, more = "") =>
  [css.button[variant], size !== "medium" && css.sizes[size], more].filter(Boolean).join(" ");

/** Keeps neighbours apart in browsers without styles. */
export const apart = " ";

type ButtonProps = Look & Omit<ComponentPropsWithoutRef<"button">, "style">;

export function Button({ variant, size, icon, className, children, ...rest }: ButtonProps) {
  return (
    <>
      <button {...rest} className={classOf({ variant, size }, className)}>
        {icon && <Icon name={icon} />}
        {children}
      </button>
      {apart}
    </>
  );
}

/**
 * `isPending` comes from the form's navigation or fetcher. Not `disabled`: that would drop the focus to the page
 * while the request runs.
 */
export function SubmitButton({
  isPending,
  pendingLabel,
  variant = "primary",
  children,
  onClick,
  ...rest
}: ButtonProps & { isPending: boolean; pendingLabel: ReactNode }) {
  function guard(event: MouseEvent<HTMLButtonElement>) {
    event.currentTarget.focus({ preventScroll: true });
    if (isPending) event.preventDefault();
    else onClick?.(event);
  }
  return (
    <Button
      {...rest}
      variant={variant}
      onClick={guard}
      // A press would first leave the field, whose new message could move the button from under it.
      onMouseDown={(event) => event.preventDefault()}
      aria-disabled={isPending || rest["aria-disabled"] || undefined}
    >
      {isPending ? pendingLabel : children}
    </Button>
  );
}

export type ButtonLinkProps = Look & Omit<LinkProps, "style">;

export function ButtonLink({ variant, size, icon, className, children, ...rest }: ButtonLinkProps) {
  return (
    <>
      <Link {...rest} className={classOf({ variant, size }, className)}>
        {icon && <Icon name={icon} />}
        {children}
      </Link>
      {apart}
    </>
  );
}

type IconControl<Props> = {
  icon: IconName;
  /** Tooltip and accessible name, with its object: 'Delete Summer 10 %'. */
  label: string;
} & Omit<Props, "style" | "className" | "children">;

const iconOnly = (label: string) => ({ className: css.iconOnly, title: label });

export function IconButton({
  icon,
  label,
  ...rest
}: IconControl<ComponentPropsWithoutRef<"button">>) {
  return (
    <button type="submit" {...rest} {...iconOnly(label)}>
      <Icon name={icon} />
    </button>
  );
}

/** Belongs among the `rowActions` of a Table, which turns plain links into client navigations. */
export function IconRowLink({ icon, label, ...rest }: IconControl<ComponentPropsWithoutRef<"a">>) {
  return (
    <a {...rest} {...iconOnly(label)}>
      <Icon name={icon} />
    </a>
  );
}
