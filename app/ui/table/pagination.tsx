// Without script: pages are links, the rows per page a GET form.
import { Form } from "@remix-run/react";
import { useEffect, useRef } from "react";
import { formatCount, formatNumber, type Total } from "../../format/number";
import { Button, ButtonLink } from "../form/button";
import { button } from "../form/button.css";
import { select } from "../form/form.css";
import { useAreScriptsRunning } from "../overlay/focus";
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

/** The footer of a table: 'x–y of total', rows per page where they can be chosen, previous and next. */
export function Pagination({
  page: { page, perPage, total, next, previous },
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
  const count = typeof total === "number" ? total : total.count;
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
        {`${formatNumber(first)}–${formatNumber(last)} of ${formatCount(total)}`}
      </span>
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
            onChange={({ currentTarget }) => currentTarget.form?.requestSubmit()}
            className={`${select} ${css.rowsSelect}`}
          >
            {pageSizes.map((choice) => (
              <option key={choice}>{choice}</option>
            ))}
          </select>{" "}
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
