// Without script: the same.
import type { ComponentProps, ReactNode } from "react";
import type { List } from "../../lists/list";
import { ButtonLink } from "../form/button";
import { Card, LinkTabs, Page } from "../layout/page";
import { FilterBar } from "./filter-bar";
import { NothingMatches } from "./nothing-matches";
import { EmptyState, ListNotes } from "../table/list-notes";
import { ListTable, RowCount } from "./list-table";
import { ListStatus, type ListPage } from "../table/pagination";

type ListScreenProps<Row extends { id: string }> = Pick<
  ComponentProps<typeof ListTable<Row>>,
  "columns" | "onApproach"
> &
  Pick<ComponentProps<typeof FilterBar>, "options" | "suggestions"> & {
    title: string;
    actions?: ReactNode;
    tabs?: ComponentProps<typeof LinkTabs>["tabs"];
    list: List;
    data: ComponentProps<typeof FilterBar>["data"] &
      ComponentProps<typeof ListNotes>["list"] &
      ListPage & { sort?: string; rows: readonly Row[] };
    noun: string;
    /** Stands beside the number of rows. */
    tools?: ReactNode;
    /** Messages beside those about the URL. */
    notes?: ReactNode;
    /** The <datalist>s of `suggestions`. */
    suggested?: ReactNode;
    /** Replaces the rows of a list that has none without any filter; left out where it always has one. */
    empty?: ComponentProps<typeof EmptyState>;
    /** Words for when no row matches the filters, where the usual ones don't fit. */
    noMatch?: Partial<ComponentProps<typeof NothingMatches>>;
    /** The outlet of dialogs over the list. */
    children?: ReactNode;
  };

/** A screen that is a list: its heading, tabs and filters, then its rows, or why there are none. */
export function ListScreen<Row extends { id: string }>({
  title,
  actions,
  tabs,
  list,
  data,
  noun,
  tools,
  notes,
  suggested,
  empty,
  noMatch,
  options,
  suggestions,
  children,
  ...table
}: ListScreenProps<Row>) {
  return (
    <Page title={title} actions={actions}>
      <ListNotes list={data}>{notes}</ListNotes>
      {children}
      {tabs && <LinkTabs label="Views" tabs={tabs} />}
      {(list.search ?? list.filterGroups) && (
        <FilterBar list={list} data={data} options={options} suggestions={suggestions}>
          {suggested}
        </FilterBar>
      )}
      <ListStatus data={data} noun={noun} />
      {data.rows.length > 0 ? (
        <ListTable
          {...table}
          caption={title}
          list={list}
          data={data}
          tools={
            <>
              <RowCount total={data.total} noun={noun} />
              {tools}
            </>
          }
        />
      ) : (
        <Card>
          {empty && data.filters.length === 0 ? (
            <EmptyState {...empty} />
          ) : (
            <NothingMatches list={list} noun={noun} {...noMatch} />
          )}
        </Card>
      )}
    </Page>
  );
}

/** Exports the rows that the filters let through as a CSV file. */
export function ExportLink({
  to,
  filters,
}: {
  to: string;
  filters: readonly (readonly [string, string])[];
}) {
  const params = new URLSearchParams(filters.map(([name, value]) => [name, value]));
  return (
    <ButtonLink to={`${to}?${params}`} reloadDocument icon="download">
      Export CSV
    </ButtonLink>
  );
}
