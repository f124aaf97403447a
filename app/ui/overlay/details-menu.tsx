// Without script: a <details>; its summary opens and closes it. With it: Esc, leaving it and a navigation close it too.
import { Link, useLocation, type LinkProps } from "@remix-run/react";
import { useEffect, useRef, type ReactNode } from "react";
import { apart } from "../form/button";
import * as css from "./overlay.css";

/** Closes a menu and gives the focus back to its button. */
export function closeMenu(menu: HTMLDetailsElement): void {
  menu.open = false;
  menu.querySelector("summary")?.focus();
}

export function DetailsMenu({
  summary,
  summaryId,
  summaryClass = css.menuButton,
  placement = "belowEnd",
  className = css.menu,
  isOpen = false,
  group,
  children,
}: {
  /** Content of the button; it must have an accessible name. */
  summary: ReactNode;
  summaryId?: string;
  summaryClass?: string;
  placement?: keyof typeof css.placement;
  className?: string;
  /** Whether the page comes with it open. */
  isOpen?: boolean;
  /** Name shared by menus of which one at a time is open. */
  group?: string;
  children: ReactNode;
}) {
  const details = useRef<HTMLDetailsElement>(null);
  const { pathname } = useLocation();

  const pathBefore = useRef(pathname);

  useEffect(() => {
    if (details.current && pathBefore.current !== pathname) details.current.open = false;
    pathBefore.current = pathname;
  }, [pathname]);

  useEffect(() => {
    const element = details.current;
    if (!element) return;
    // Styles may rely on it: from now on it never stays open over what has the focus.
    element.dataset.closesItself = "";
    const closeOutside = ({ target }: Event) => {
      if (target instanceof Element && !element.contains(target)) element.open = false;
    };
    // Ignores focus from a pointer: closing a long panel shortens the page, so the pressed control would move before the click.
    const closeOnFocus = (event: Event) => {
      if (event.target instanceof Element && event.target.matches(":focus-visible"))
        closeOutside(event);
    };
    const closeOnEscape = (event: KeyboardEvent) => {
      if (event.key === "Escape" && element.open) closeMenu(element);
    };
    // Closes it for a link to the present page, too, which changes no path.
    const closeOnLink = (event: Event) => {
      const link = event.target instanceof Element && event.target.closest("a");
      if (!link) return;
      element.open = false;
      if (link.pathname === window.location.pathname) element.querySelector("summary")?.focus();
    };
    document.addEventListener("pointerup", closeOutside);
    document.addEventListener("focusin", closeOnFocus);
    element.addEventListener("keydown", closeOnEscape);
    element.addEventListener("click", closeOnLink);
    // Listeners of the element are removed with it.
    return () => {
      document.removeEventListener("pointerup", closeOutside);
      document.removeEventListener("focusin", closeOnFocus);
    };
  }, []);

  return (
    <details ref={details} className={className} open={isOpen} {...(group && { name: group })}>
      <summary id={summaryId} className={summaryClass}>
        {summary}
      </summary>
      <div className={`${css.panel} ${css.placement[placement]}`}>{children}</div>
    </details>
  );
}

/** An entry of a menu that leads to a screen. */
export function MenuLink(props: Omit<LinkProps, "className">) {
  return (
    <>
      <Link {...props} className={css.menuItem} />
      {apart}
    </>
  );
}
