// Without script: links and a GET form with a Go button; the page is in the address.
import { Form } from "@remix-run/react";
import { Button, ButtonLink } from "../form/button";
import { button } from "../form/button.css";
import * as form from "../form/form.css";
import * as css from "./table.css";

const grouped = new Intl.NumberFormat("en-US");

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
}: {
  page: ListPage;
  rowCount: number;
  urlOf: (changes: Record<string, string>) => string;
  pageSizes?: readonly number[];
  /** Names the landmark, where a page has two. */
  label?: string;
  /** Parameters of the URL that changing the rows per page keeps: filters and sort. */
  kept?: Record<string, string>;
}) {
  const { count, isCapped } = typeof total === "number" ? { count: total, isCapped: false } : total;
  const first = (page - 1) * perPage + 1;
  const last = first + rowCount - 1;
  const isFirst = page === 1 || previous === null;
  const isLast = next === undefined ? last >= count : next === null;
  return (
    <>
      <span className={css.range}>
        {grouped.format(first)}–{grouped.format(last)} of {grouped.format(count)}
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
            defaultValue={perPage}
            key={perPage}
            className={`${form.select} ${css.rowsSelect}`}
          >
            {pageSizes.map((choice) => (
              <option key={choice}>{choice}</option>
            ))}
          </select>
          <Button>Go</Button>
        </Form>
      )}
      <nav aria-label={label} className={css.pager}>
        {isFirst ? (
          <Unavailable>Previous</Unavailable>
        ) : (
          <ButtonLink
            to={urlOf({ page: `${page - 1}`, before: previous ?? "" })}
            preventScrollReset
            rel="prev"
          >
            Previous
          </ButtonLink>
        )}
        {isLast ? (
          <Unavailable>Next</Unavailable>
        ) : (
          <ButtonLink
            to={urlOf({ page: `${page + 1}`, after: next ?? "" })}
            preventScrollReset
            rel="next"
          >
            Next
          </ButtonLink>
        )}
      </nav>
    </>
  );
}

/** Takes the room of the link, so that the other one doesn't jump under the pointer. */
function Unavailable({ children }: { children: string }) {
  return (
    <span role="link" aria-disabled="true" className={button.default}>
      {children}
    </span>
  );
}
