// Without script: a plain table, and the region that scrolls sideways is always in the tab order.
import { Fragment, useEffect, useRef, useState, type ComponentProps, type ReactNode } from "react";
import { visuallyHidden } from "#styles/global.css";
import { paths } from "../../paths";
import { useCachedMarkup } from "../markup-cache";
import { useActionToolbars, useTableLinks } from "./row-controls";
import * as css from "./table.css";

export type Column<Row> = {
  /** Text of the header, repeated before the value in cards. */
  heading: string;
  /** The order that pressing the header gives. */
  sort?: string;
  isNumber?: boolean;
  /** Its cell names the row. */
  isRowHeader?: boolean;
  /** The value stands without its heading in cards, or a style of `labelRules` adds it. */
  isBare?: boolean;
  /** The value is a badge: in cards it stands beside the row's name. */
  isBadge?: boolean;
  /** Only wide windows have room for it. */
  isWide?: boolean;
  /** The buttons of the row, which stay at the edge while the rest scrolls sideways. */
  hasActions?: boolean;
  /** Style of the cells. */
  className?: string;
  /** Replaces the header cell. */
  header?: ReactNode;
  cell: (row: Row) => ReactNode;
};

/** A card with tools, rows and a footer. */
export function Table<Row>({
  id = "table",
  caption,
  columns,
  rows,
  rowKey = "id" as keyof Row,
  isFramed = true,
  title,
  tools,
  footer,
  fits = false,
  onApproach,
  cacheKey,
}: {
  /** Id of the scrolling region; the first table of a page is the target of the skip link. */
  id?: string;
  /** Names the table and its scrolling region. */
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  /** The property that tells the rows apart. */
  rowKey?: keyof Row;
  /** Whether the table is a card; else it stands in one. */
  isFramed?: boolean;
  /** Heading of the section that the table is. */
  title?: string;
  tools?: ReactNode;
  footer?: ReactNode;
  /** The columns are few and short enough for any width: nothing scrolls sideways. */
  fits?: boolean;
  /** Called when a row is pointed at or focused, often: to fetch what its links will need. */
  onApproach?: () => void;
  /**
   * Names everything but the row that cells depend on, which read no context: the server then keeps the markup of rows,
   * most of which are the same on the next page that shows them.
   */
  cacheKey?: string;
}) {
  const cachedMarkup = useCachedMarkup();
  const cells = columns.map(cellRenderer);
  const wide = css.wideAt.filter((_, index) => columns[index]?.isWide);
  const region = useRef<HTMLDivElement>(null);
  const followLink = useTableLinks();
  useActionToolbars(region);
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
    <div className={isFramed ? css.frame : undefined}>
      {(title || tools) && (
        <div className={css.tools}>
          {title && <h2 className={css.heading}>{title}</h2>}
          {tools}
        </div>
      )}
      <div
        ref={region}
        id={id}
        className={css.scroll}
        role="region"
        aria-label={caption}
        // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- to scroll it by keyboard, and to skip to it
        tabIndex={isOverflowing ? 0 : -1}
      >
        <table className={[css.table, ...wide].join(" ")}>
          <caption className={visuallyHidden}>{caption}</caption>
          {/* eslint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions -- Enter on a link is a click too */}
          <thead onClick={followLink}>
            <tr>
              {columns.map((column) => (
                <Fragment key={column.heading}>
                  {column.header ?? <HeaderCell column={column}>{column.heading}</HeaderCell>}
                </Fragment>
              ))}
            </tr>
          </thead>
          {/* eslint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions -- Enter on a link is a click too */}
          <tbody onClick={followLink} onPointerOver={onApproach} onFocus={onApproach}>
            {rows.map((row) => (
              <tr
                key={String(row[rowKey])}
                {...cachedMarkup(
                  import.meta.env.SSR && cacheKey && cacheKey + JSON.stringify(row),
                  () => cells.map((cellOf) => cellOf(row)),
                )}
              />
            ))}
          </tbody>
        </table>
      </div>
      {footer && <div className={css.footer}>{footer}</div>}
    </div>
  );
}

/** Returns a function that renders the cells of a column; what they share is worked out once. */
function cellRenderer<Row>(column: Column<Row>): (row: Row) => ReactNode {
  const { heading, cell } = column;
  if (column.isRowHeader) {
    const { className } = column;
    return (row) => (
      <th key={heading} scope="row" className={className}>
        {cell(row)}
      </th>
    );
  }
  const label = column.isBare || column.isBadge || column.isWide ? undefined : heading;
  const className = column.className ?? defaultClass(column);
  return (row) => (
    <td key={heading} data-label={label} className={className}>
      {cell(row)}
    </td>
  );
}

type Kind = Pick<Column<never>, "isBadge" | "isNumber" | "hasActions">;

function defaultClass({ isBadge, isNumber, hasActions }: Kind) {
  if (hasActions) return css.actions;
  if (isBadge) return css.status;
  return isNumber ? css.number : undefined;
}

/** The name of a promotion as a link, with its code beneath, and with facts that have no column there. */
export function LinkedCode({
  id,
  name,
  code,
  note = [],
  to,
}: {
  id: string;
  name: string;
  code: string;
  note?: readonly string[];
  /** The address of a mass generation, whose `code` is the number of its codes. */
  to?: string | undefined;
}) {
  return (
    <>
      <a href={to ?? paths.promotion(id)}>{name}</a>{" "}
      <small>
        {to ? code : <code>{code}</code>}
        {note.length > 0 && <i>{` · ${note.join(" · ")}`}</i>}
      </small>
    </>
  );
}

export function HeaderCell({
  column: { isBadge, isNumber, hasActions },
  ...cell
}: { column: { [Name in keyof Kind]: Kind[Name] | undefined } } & ComponentProps<"th">) {
  return <th scope="col" className={defaultClass({ isBadge, isNumber, hasActions })} {...cell} />;
}
