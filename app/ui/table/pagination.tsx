// Without script: pages are links, the rows per page a GET form.
import { Form } from "@remix-run/react";
import { useEffect, useRef } from "react";
import { visuallyHidden } from "#styles/global.css";
import { countOf, formatCount, formatNumber, type Total } from "../../format/number";
import { Button, ButtonLink } from "../form/button";
import { button } from "../form/button.css";
import { select } from "../form/form.css";
import * as css from "./pagination.css";

export type ListPage = {
  /** From 1. */
  page: number;
  perPage: number;
  /** Capped where counting further would cost too much: 'of 10,000+'. */
  total: Total;
  /** Cursors of the pages around it, null at the ends; left out where page numbers suffice. */
  next?: string | null;
  previous?: string | null;
};

const countIn = (total: ListPage["total"]) => (typeof total === "number" ? total : total.count);

const isFirstPage = ({ page, previous }: ListPage) => page === 1 || previous === null;

/** Begins to say which rows a page shows: '26–50 of '. */
function rangeOf(shown: ListPage, rowCount: number): string {
  const before = isFirstPage(shown) ? 0 : rowsBefore(shown, rowCount);
  return `${formatNumber(before + 1)}–${formatNumber(before + rowCount)} of `;
}

/** Counts the rows before a page. A cursor begins the page elsewhere than its number says once rows before it came or went. */
function rowsBefore({ page, perPage, total, next }: ListPage, rowCount: number): number {
  const before = (page - 1) * perPage;
  if (typeof total !== "number" && total.isCapped) return before;
  const last = Math.max(0, countIn(total) - rowCount);
  return next === null ? last : Math.min(before, last);
}

/**
 * Announces which rows a list shows. It stands beside what takes the place of the rows if there are none: a region that
 * is mounted together with its words is not announced.
 * @param noun names a row, and takes an 's'
 */
export function ListStatus({
  data,
  noun,
}: {
  data: ListPage & { sort?: string; rows: readonly unknown[] };
  noun: string;
}) {
  const { rows, total, sort } = data;
  return (
    <p role="status" className={visuallyHidden}>
      {/* Another order has the same words, which are announced again. */}
      <span key={sort}>
        {(rows.length > 0 ? rangeOf(data, rows.length) : "") + countOf(total, noun)}
      </span>
    </p>
  );
}

/** The footer of a table: 'x–y of total', rows per page where they can be chosen, previous and next. */
export function Pagination({
  page: shown,
  rowCount,
  urlOf,
  pageSizes = [],
  label = "Pages",
  params = {},
  isInDialog = false,
}: {
  page: ListPage;
  rowCount: number;
  urlOf: (changes: Record<string, string>) => string;
  pageSizes?: readonly number[];
  /** Names the landmark, where a page has two. */
  label?: string;
  /** Parameters of the URL that changing the rows per page keeps: filters and sort. */
  params?: Record<string, string>;
  /** Pages replace each other in the history, so that Back doesn't open the dialog again. */
  isInDialog?: boolean;
}) {
  const { page, perPage, total, next, previous } = shown;
  const count = countIn(total);
  const isFirst = isFirstPage(shown);
  const isLast = next === undefined ? page * perPage >= count : next === null;
  const rowsSelect = useRef<HTMLSelectElement>(null);
  // Back shows another number, another page drops a choice that was not applied, and the field keeps the focus.
  useEffect(() => {
    if (rowsSelect.current) rowsSelect.current.value = `${perPage}`;
  }, [perPage, page]);
  return (
    <>
      <span className={css.range}>{rangeOf(shown, rowCount) + formatCount(total)}</span>
      {pageSizes.length > 0 && (
        <Form method="get" preventScrollReset className={css.rowsForm}>
          {Object.entries(params).map(
            ([name, value]) =>
              name !== "per_page" && <input key={name} type="hidden" name={name} value={value} />,
          )}
          <label htmlFor="per_page">Rows</label>
          <select
            id="per_page"
            name="per_page"
            ref={rowsSelect}
            defaultValue={perPage}
            className={`${select} ${css.rowsSelect}`}
          >
            {pageSizes.map((choice) => (
              <option key={choice}>{choice}</option>
            ))}
          </select>{" "}
          <Button>Go</Button>
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

/** A link to another page or, without an address, a placeholder of its size, so that the other link doesn't move. */
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
