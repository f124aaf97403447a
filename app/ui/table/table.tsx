// Without script: a plain table; the region that scrolls sideways is always in the tab order.
import { useNavigate } from "@remix-run/react";
import { useEffect, useRef, useState, type MouseEvent, type ReactNode } from "react";
import { visuallyHidden } from "#styles/global.css";
import * as css from "./table.css";

/**
 * A card with tools, rows and a footer. Rows are <tr> with <th scope="row" className={name}> and cells that carry
 * `data-label`, which phones show above the value.
 */
export function Table({
  id = "table",
  caption,
  tools,
  footer,
  head,
  fits = false,
  onApproach,
  children,
}: {
  /** Id of the scrolling region; the first table of a page is the target of the skip link. */
  id?: string;
  /** Names the table and its scrolling region. */
  caption: string;
  tools?: ReactNode;
  footer?: ReactNode;
  /** The header cells. */
  head: ReactNode;
  /** The columns are few and short enough for any width: nothing scrolls sideways. */
  fits?: boolean;
  /** Called when a row is pointed at or focused, often: to fetch what its links will need. */
  onApproach?: () => void;
  /** The rows. */
  children: ReactNode;
}) {
  const region = useRef<HTMLDivElement>(null);
  const followRowLink = useRowLinks();
  // Focusable until a script has measured it: otherwise it could not be scrolled by keyboard.
  const [isOverflowing, setIsOverflowing] = useState(!fits);

  useEffect(() => {
    const element = region.current;
    if (!element) return;
    const observer = new ResizeObserver(() =>
      setIsOverflowing(element.scrollWidth > element.clientWidth),
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  return (
    <div className={css.frame}>
      {tools && <div className={css.tools}>{tools}</div>}
      <div
        ref={region}
        id={id}
        className={css.scroll}
        role="region"
        aria-label={caption}
        // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- to scroll it by keyboard, and to skip to it
        tabIndex={isOverflowing ? 0 : -1}
      >
        <table className={css.table}>
          <caption className={visuallyHidden}>{caption}</caption>
          <thead>
            <tr>{head}</tr>
          </thead>
          {/* eslint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions -- Enter on a link is a click too */}
          <tbody onClick={followRowLink} onPointerOver={onApproach} onFocus={onApproach}>
            {children}
          </tbody>
        </table>
      </div>
      {footer && <div className={css.footer}>{footer}</div>}
    </div>
  );
}

/**
 * Links in rows are plain <a>, hundreds of which cost a small machine nothing; this makes a click
 * on one a client navigation. `data-document` marks those that leave the app: downloads.
 */
function useRowLinks() {
  const navigate = useNavigate();
  return (event: MouseEvent<HTMLElement>) => {
    const link = (event.target as Element).closest("a");
    const isPlain =
      event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
    if (!link || !isPlain || event.defaultPrevented || "document" in link.dataset) return;
    event.preventDefault();
    navigate(link.pathname + link.search + link.hash, { preventScrollReset: true });
  };
}
