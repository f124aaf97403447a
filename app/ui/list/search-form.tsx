// Without script: a GET form with a button; what is searched is in the address.
import { Form } from "@remix-run/react";
import { Button } from "../form/button";
import { useFollowingFields } from "../form/field";
import { input } from "../form/form.css";
import { useListUrl } from "../table/list-url";
import * as css from "./search-form.css";

type SearchFormProps = {
  label: string;
  /** Names the columns that are searched, in the empty field. */
  hint: string;
  /** The present search, and rows per page, which stay. */
  query: { search: string; perPage: number };
};

/** Searches the list of this page, from its first page on. */
export function SearchForm({ label, hint, query: { search, perPage } }: SearchFormProps) {
  const form = useFollowingFields({ search });
  // Without them, a search would close what the address opens beside the list.
  const others = Object.entries(useListUrl().params).filter(
    ([name]) => name !== "search" && name !== "per_page",
  );
  return (
    <Form ref={form} method="get" role="search" preventScrollReset className={css.searchRow}>
      {others.map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <input type="hidden" name="per_page" value={perPage} />
      <input
        className={input}
        id="search"
        name="search"
        type="search"
        maxLength={200}
        autoComplete="off"
        defaultValue={search}
        aria-label={label}
        placeholder={hint}
      />
      <Button icon="search">Search</Button>
    </Form>
  );
}
