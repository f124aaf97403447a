// Without script: a GET form with a button; what is searched is in the address.
import { Form } from "@remix-run/react";
import { Button } from "../form/button";
import * as form from "../form/form.css";
import * as css from "./table.css";

/** Searches the list of this page, from its first page on. */
export function SearchForm({
  label,
  hint,
  search,
  kept = {},
}: {
  label: string;
  /** Names the columns that are searched. */
  hint: string;
  /** The present search. */
  search: string;
  /** Parameters of the address that stay. */
  kept?: Record<string, string>;
}) {
  return (
    <Form method="get" role="search" preventScrollReset className={css.searchForm}>
      {Object.entries(kept).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <label className={form.label} htmlFor="search">
        {label}
      </label>
      <p className={form.hint} id="search-hint">
        {hint}
      </p>
      <div className={css.searchRow}>
        <input
          key={search}
          className={form.input}
          id="search"
          name="search"
          type="search"
          maxLength={200}
          autoComplete="off"
          defaultValue={search}
          aria-describedby="search-hint"
        />
        <Button icon="search">Search</Button>
      </div>
    </Form>
  );
}
