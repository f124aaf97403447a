// Without script: links and a GET form with a Go button; the page is in the address.
import { Form } from "@remix-run/react";
import { Button, ButtonLink } from "../form/button";
import { button } from "../form/button.css";
import * as form from "../form/form.css";
import * as css from "./table.css";

const grouped = new Intl.NumberFormat("en-US");

/** What the footer of a table holds: 'x–y of total', rows per page where they can be chosen, previous and next. */
export function Pagination({
  first,
  last,
  total,
  isTotalCapped = false,
  previous,
  next,
  perPage,
  perPageChoices = [],
  label = "Pages",
  kept = {},
}: {
  /** Of the rows shown, counted from 1; 0 when there are none. */
  first: number;
  last: number;
  total: number;
  /** The count stopped there: 'of 10,000+'. */
  isTotalCapped?: boolean;
  /** Addresses; null at the ends. */
  previous: string | null;
  next: string | null;
  perPage: number;
  perPageChoices?: readonly number[];
  /** Names the landmark, where a page has two. */
  label?: string;
  /** Parameters of the address that changing the rows per page keeps: filters and sort. */
  kept?: Record<string, string>;
}) {
  return (
    <>
      <span className={css.range}>
        {grouped.format(first)}–{grouped.format(last)} of {grouped.format(total)}
        {isTotalCapped && "+"}
      </span>
      {perPageChoices.length > 0 && (
        <Form method="get" preventScrollReset className={css.rowsForm}>
          {Object.entries(kept).map(([name, value]) => (
            <input key={name} type="hidden" name={name} value={value} />
          ))}
          <label htmlFor="per_page">Rows</label>
          <select
            id="per_page"
            name="per_page"
            defaultValue={perPage}
            key={perPage}
            className={`${form.select} ${css.rowsSelect}`}
          >
            {perPageChoices.map((choice) => (
              <option key={choice}>{choice}</option>
            ))}
          </select>
          <Button>Go</Button>
        </Form>
      )}
      <nav aria-label={label} className={css.pager}>
        {previous === null ? (
          <Unavailable>Previous</Unavailable>
        ) : (
          <ButtonLink to={previous} preventScrollReset rel="prev">
            Previous
          </ButtonLink>
        )}
        {next === null ? (
          <Unavailable>Next</Unavailable>
        ) : (
          <ButtonLink to={next} preventScrollReset rel="next">
            Next
          </ButtonLink>
        )}
      </nav>
    </>
  );
}

/** Keeps its place, so that the other one does not jump under the pointer. */
function Unavailable({ children }: { children: string }) {
  return (
    <span role="link" aria-disabled="true" className={button.default}>
      {children}
    </span>
  );
}
