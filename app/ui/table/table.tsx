// Without script: a plain table, and the region that scrolls sideways is always in the tab order.
import {
  Fragment,
  useEffect,
  useRef,
  useState,
  type ComponentProps,
  type ReactNode,
  type RefObject,
} from "react";
import { muted, visuallyHidden } from "#styles/global.css";
import { paths } from "../../paths";
import { useActionToolbars, useRowFocus, useTableLinks } from "./row-controls";
import { footer as footerStyle } from "./pagination.css";
import * as css from "./table.css";

export type Column<Row> = {
  /** Text of the header, repeated before the value in cards. */
  heading: string;
  /** The order that pressing the header gives. */
  sort?: string;
  isNumber?: boolean;
  /** Its cell names the row. */
  isRowHeader?: boolean;
  /** The value stands without its heading in cards. */
  isBare?: boolean;
  /** The cell holds the checkbox that selects the row. */
  isSelection?: boolean;
  /** The value is a badge: in cards it stands beside the row's name. */
  isBadge?: boolean;
  /** Only wide windows have room for it. */
  isWide?: boolean;
  /** Moves its value beneath the row's name, and its order beside that of names, in other windows. */
  isFolded?: boolean;
  /** The buttons of the row, which stay at the edge while the rest scrolls sideways. */
  hasActions?: boolean;
  className?: string;
  header?: ReactNode;
  cell: (row: Row) => ReactNode;
};

/** A card with tools, rows and a footer. */
export function Table<Row>({
  id = "table",
  title,
  caption = title,
  columns,
  rows,
  rowKey = "id" as keyof Row,
  isFramed = true,
  tools,
  footer,
  fits = false,
  onApproach,
}: {
  /** Id of the scrolling region; the first table of a page is the target of the skip link. */
  id?: string;
  /** Names the table and its scrolling region; left out where `title` does. */
  caption?: string | undefined;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  /** The property that tells the rows apart. */
  rowKey?: keyof Row;
  /** Whether the table is a card; else it stands in one. */
  isFramed?: boolean;
  title?: string;
  tools?: ReactNode;
  footer?: ReactNode;
  /** The columns are few and short enough for any width: nothing scrolls sideways. */
  fits?: boolean;
  /** Called when a row is pointed at or focused, often: to fetch what its links will need. */
  onApproach?: () => void;
}) {
  const cells = columns.map(cellRenderer);
  const region = useRef<HTMLDivElement>(null);
  const followLink = useTableLinks();
  useActionToolbars(region);
  useRowFocus(region);
  const isOverflowing = useIsOverflowing(region, fits);

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
        <table className={css.table}>
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
              <tr key={String(row[rowKey])}>{cells.map((cellOf) => cellOf(row))}</tr>
            ))}
          </tbody>
        </table>
      </div>
      {footer && <div className={footerStyle}>{footer}</div>}
    </div>
  );
}

/** Tells whether a region scrolls sideways: true until a script has measured it, so that it can be by keyboard. */
function useIsOverflowing(region: RefObject<HTMLElement>, fits: boolean): boolean {
  const [isOverflowing, setIsOverflowing] = useState(!fits);
  useEffect(() => {
    const element = region.current;
    if (!element) return;
    const observer = new ResizeObserver(() =>
      setIsOverflowing(element.scrollWidth > element.clientWidth),
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, [region]);
  return isOverflowing;
}

/** Returns a function that renders the cells of a column; what they share is worked out once. */
function cellRenderer<Row>(column: Column<Row>): (row: Row) => ReactNode {
  const { heading, cell } = column;
  const className = [column.className, classOf(column)].filter(Boolean).join(" ") || undefined;
  if (column.isRowHeader) {
    return (row) => (
      <th key={heading} scope="row" className={className}>
        {cell(row)}
      </th>
    );
  }
  const { isBare, isBadge, isSelection, isWide } = column;
  const label = isBare || isBadge || isSelection || isWide ? undefined : heading;
  return (row) => (
    <td key={heading} data-label={label} className={className}>
      {cell(row)}
    </td>
  );
}

type Kind = Pick<Column<never>, "isNumber" | "isSelection" | "isBadge" | "isWide" | "hasActions">;

function classOf({ isNumber, isSelection, isBadge, isWide, hasActions }: Kind): string | undefined {
  const classes = [
    isNumber && css.number,
    isSelection && css.selection,
    isBadge && css.status,
    isWide && css.wideOnly,
    hasActions && css.actions,
  ];
  return classes.filter(Boolean).join(" ") || undefined;
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
      <small className={css.detail}>
        {to ? code : <code>{code}</code>}
        {note.length > 0 && <span className={css.folded}>{` · ${note.join(" · ")}`}</span>}
      </small>
    </>
  );
}

/** The serial number of a machine as a link, with its name; a machine without a name is unknown and has no page. */
export function LinkedMachine({
  serialNumber,
  humanName,
}: {
  serialNumber: string;
  humanName: string | null;
}) {
  if (humanName === null) return serialNumber;
  return (
    <>
      <a href={paths.machine(serialNumber)}>{serialNumber}</a>{" "}
      <span className={muted}>{humanName}</span>
    </>
  );
}

/** The time of a row, which names it. */
export const timeColumn: Column<{ occurredAt: string }> = {
  heading: "Time",
  isRowHeader: true,
  className: css.timestamp,
  cell: ({ occurredAt }) => occurredAt,
};

export const machineColumn: Column<{ machine: ComponentProps<typeof LinkedMachine> }> = {
  heading: "Machine",
  isBare: true,
  className: css.twoLines,
  cell: ({ machine }) => <LinkedMachine {...machine} />,
};

export function HeaderCell({ column, ...cell }: { column: Kind } & ComponentProps<"th">) {
  return <th scope="col" className={classOf(column)} {...cell} />;
}
