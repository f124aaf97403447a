// Without script: a plain table; order and pages are links, the rows per page a GET form, and the region that scrolls sideways is always in the tab order.
import { Form, Link, useNavigate } from "@remix-run/react";
import {
  Fragment,
  useEffect,
  useRef,
  useState,
  type ComponentProps,
  type MouseEvent,
  type ReactNode,
  type RefObject,
} from "react";
import { visuallyHidden } from "#styles/global.css";
import { formatSort, parseSort, type List } from "../../forms/list";
import { formatNumber } from "../../format/number";
import { paths } from "../../paths";
import { Button, ButtonLink } from "../form/button";
import { button } from "../form/button.css";
import { select } from "../form/form.css";
import { Icon } from "../icon/icon";
import { useAreScriptsRunning } from "../overlay/focus";
import { isPlainClick } from "../plain-click";
import { useListUrl } from "./list-url";
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
}) {
  const region = useRef<HTMLDivElement>(null);
  const followRowLink = useRowLinks();
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
        <table className={css.table}>
          <caption className={visuallyHidden}>{caption}</caption>
          <thead>
            <tr>
              {columns.map((column) => (
                <Fragment key={column.heading}>
                  {column.header ?? <HeaderCell column={column}>{column.heading}</HeaderCell>}
                </Fragment>
              ))}
            </tr>
          </thead>
          {/* eslint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions -- Enter on a link is a click too */}
          <tbody onClick={followRowLink} onPointerOver={onApproach} onFocus={onApproach}>
            {rows.map((row) => (
              <tr key={String(row[rowKey])}>
                {columns.map(({ heading, isRowHeader, className, cell, ...column }) =>
                  isRowHeader ? (
                    <th key={heading} scope="row" className={className ?? css.name}>
                      {cell(row)}
                    </th>
                  ) : (
                    <td
                      key={heading}
                      data-label={
                        column.isBare || column.isBadge || column.isWide ? undefined : heading
                      }
                      className={className ?? defaultClass(column)}
                    >
                      {cell(row)}
                    </td>
                  ),
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {footer && <div className={css.footer}>{footer}</div>}
    </div>
  );
}

/** Groups of controls that are one stop of Tab each. */
const oneStop = "[role=toolbar], thead tr";

/**
 * Makes the actions of each row one stop of Tab, and the orders in the header another, with arrow keys
 * inside: 25 rows have 100 actions. Without scripts each is a stop.
 */
function useActionToolbars(region: RefObject<HTMLElement>): void {
  const controlsOf = (toolbar: Element) =>
    [...toolbar.querySelectorAll<HTMLElement>("a, button:not(:disabled), input")].filter(
      (control) => control.checkVisibility(),
    );
  const makeStop = (controls: readonly HTMLElement[], stop: Element | undefined) => {
    for (const control of controls) control.tabIndex = control === stop ? 0 : -1;
  };

  // After each change of the rows: controls come and go.
  useEffect(() => {
    for (const toolbar of region.current?.querySelectorAll(oneStop) ?? []) {
      const controls = controlsOf(toolbar);
      makeStop(
        controls,
        controls.find((control) => control.getAttribute("tabindex") === "0") ?? controls[0],
      );
    }
  });

  useEffect(() => {
    const element = region.current;
    const moveFocus = (event: KeyboardEvent) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      const toolbar = event.target instanceof Element && event.target.closest(oneStop);
      if (!step || !toolbar) return;
      const controls = controlsOf(toolbar);
      const at = controls.indexOf(event.target as HTMLElement);
      if (at < 0) return;
      event.preventDefault();
      const next = controls[(at + step + controls.length) % controls.length];
      makeStop(controls, next);
      next?.focus();
    };
    element?.addEventListener("keydown", moveFocus);
    return () => element?.removeEventListener("keydown", moveFocus);
  }, [region]);
}

type Kind = Pick<Column<never>, "isBadge" | "isNumber" | "isWide" | "hasActions">;

function defaultClass({ isBadge, isNumber, isWide, hasActions }: Kind) {
  if (hasActions) return css.actions;
  if (isBadge) return css.status;
  if (isWide) return css.wide;
  return isNumber ? css.number : undefined;
}

/** The name of a promotion as a link, with its code beneath, and with facts that have no column there. */
export function LinkedCode({
  id,
  name,
  code,
  note = [],
  to = paths.promotion(id),
}: {
  id: string;
  name: string;
  code: string;
  note?: readonly string[];
  /** Address that the name leads to. */
  to?: string;
}) {
  return (
    <>
      <a href={to}>{name}</a>{" "}
      <small>
        <code>{code}</code>
        {note.length > 0 && <i>{` · ${note.join(" · ")}`}</i>}
      </small>
    </>
  );
}

function HeaderCell({
  column: { isBadge, isNumber, isWide, hasActions },
  ...cell
}: { column: { [Name in keyof Kind]: Kind[Name] | undefined } } & ComponentProps<"th">) {
  return (
    <th scope="col" className={defaultClass({ isBadge, isNumber, isWide, hasActions })} {...cell} />
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
    if (!link || !isPlainClick(event) || event.defaultPrevented || "document" in link.dataset)
      return;
    if (link.getAttribute("href")!.startsWith("#")) return;
    event.preventDefault();
    navigate(link.pathname + link.search + link.hash, { preventScrollReset: true });
  };
}

/** The rows of a list that its definition describes, with sortable headers and pages. */
export function ListTable<Row extends { id: string }>({
  list,
  data,
  columns,
  ...table
}: {
  list: List;
  data: ListPage & { sort?: string; rows: readonly Row[] };
} & Omit<ComponentProps<typeof Table<Row>>, "rows" | "rowKey" | "footer">) {
  const url = useListUrl(list);
  const sorted = data.sort === undefined ? null : parseSort(list, data.sort);
  const sortableColumns = columns.map((column) => {
    const { heading, sort: by } = column;
    if (by === undefined || !(by in list.sorts)) return column;
    const direction =
      sorted?.by === by ? (sorted.isDescending ? "descending" : "ascending") : undefined;
    // Another press turns the order round.
    const isDescending = direction ? !sorted?.isDescending : list.sorts[by] === "descending";
    const header = (
      <HeaderCell column={column} aria-sort={direction}>
        <Link
          to={url({ sort: formatSort({ by, isDescending }) })}
          preventScrollReset
          className={css.sortLink}
        >
          {breakable(heading)}
          {direction && (
            <Icon name={direction === "ascending" ? "arrow-up" : "arrow-down"} size="small" />
          )}
        </Link>
      </HeaderCell>
    );
    return { ...column, header };
  });
  return (
    <Table
      {...table}
      columns={sortableColumns}
      rows={data.rows}
      footer={
        <Pagination
          page={data}
          rowCount={data.rows.length}
          urlOf={url}
          pageSizes={list.pageSizes}
          kept={url.kept}
        />
      }
    />
  );
}

/** 'Discount/Free' may break behind its slash. */
function breakable(heading: string): ReactNode {
  const [start, end] = heading.split("/");
  if (end === undefined) return heading;
  return (
    <>
      {start}/<wbr />
      {end}
    </>
  );
}

/** Says at the left of the tools how many rows there are; a noun takes an 's'. */
export function RowCount({ total, noun }: { total: ListPage["total"]; noun: string }) {
  const { count, isCapped } = typeof total === "number" ? { count: total, isCapped: false } : total;
  return (
    <p role="status" className={css.count}>
      {`${formatNumber(count)}${isCapped ? "+" : ""} ${count === 1 ? noun : `${noun}s`}`}
    </p>
  );
}

/** A page of a list. */
export type ListPage = {
  /** From 1. */
  page: number;
  perPage: number;
  /** Capped where counting further would cost too much: 'of 10,000+'. */
  total: number | { count: number; isCapped: boolean };
  /** Cursors of the pages around it, null at the ends; left out where page numbers suffice. */
  next?: string | null;
  previous?: string | null;
};

/** The footer of a table: 'x–y of total', rows per page where they can be chosen, previous and next. */
export function Pagination({
  page: { page, perPage, total, next, previous },
  rowCount,
  urlOf,
  pageSizes = [],
  label = "Pages",
  kept = {},
  isInDialog = false,
}: {
  page: ListPage;
  rowCount: number;
  urlOf: (changes: Record<string, string>) => string;
  pageSizes?: readonly number[];
  /** Names the landmark, where a page has two. */
  label?: string;
  /** Parameters of the URL that changing the rows per page keeps: filters and sort. */
  kept?: Record<string, string>;
  /** Pages replace each other in the history, so that Back doesn't open the dialog again. */
  isInDialog?: boolean;
}) {
  const { count, isCapped } = typeof total === "number" ? { count: total, isCapped: false } : total;
  const first = (page - 1) * perPage + 1;
  const last = first + rowCount - 1;
  const isFirst = page === 1 || previous === null;
  const isLast = next === undefined ? last >= count : next === null;
  const areScriptsRunning = useAreScriptsRunning();
  const rowsSelect = useRef<HTMLSelectElement>(null);
  // Back shows another number, and the field keeps the focus.
  useEffect(() => {
    if (rowsSelect.current) rowsSelect.current.value = `${perPage}`;
  }, [perPage]);
  return (
    <>
      <span className={css.range}>
        {formatNumber(first)}–{formatNumber(last)} of {formatNumber(count)}
        {isCapped && "+"}
      </span>
      {pageSizes.length > 0 && (
        <Form method="get" preventScrollReset className={css.rowsForm}>
          {Object.entries(kept).map(
            ([name, value]) =>
              name !== "per_page" && <input key={name} type="hidden" name={name} value={value} />,
          )}
          <label htmlFor="per_page">Rows</label>
          <select
            id="per_page"
            name="per_page"
            ref={rowsSelect}
            defaultValue={perPage}
            onChange={({ currentTarget }) => currentTarget.form?.requestSubmit()}
            className={`${select} ${css.rowsSelect}`}
          >
            {pageSizes.map((choice) => (
              <option key={choice}>{choice}</option>
            ))}
          </select>
          {!areScriptsRunning && <Button>Go</Button>}
        </Form>
      )}
      <nav aria-label={label} className={css.pager}>
        <PageLink
          label="Previous"
          rel="prev"
          replace={isInDialog}
          to={isFirst ? null : urlOf({ page: `${page - 1}`, before: previous ?? "" })}
        />
        <PageLink
          label="Next"
          rel="next"
          replace={isInDialog}
          to={isLast ? null : urlOf({ page: `${page + 1}`, after: next ?? "" })}
        />
      </nav>
    </>
  );
}

/** Without an address it takes the room of the link, so that the other one doesn't jump under the pointer. */
function PageLink({
  to,
  label,
  ...link
}: {
  to: string | null;
  rel: string;
  label: string;
  replace: boolean;
}) {
  return to === null ? (
    <>
      <span role="link" aria-disabled="true" className={button.default}>
        {label}
      </span>{" "}
    </>
  ) : (
    <ButtonLink to={to} preventScrollReset {...link}>
      {label}
    </ButtonLink>
  );
}
