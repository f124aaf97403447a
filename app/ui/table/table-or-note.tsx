// Without script: the same.
import type { ComponentProps } from "react";
import { muted } from "#styles/global.css";
import { FormCard } from "../layout/detail";
import { Table } from "./table";

/** Declares a short list, without its rows. */
export type ShortList<Row> = Omit<ComponentProps<typeof Table<Row>>, "rows"> & {
  /** Replaces the table while there are no rows: a heading, and what a row would be. */
  empty: { title: string; reason: string };
};

/** All rows of a short list beside the form that adds one, or a note on what it is for. */
export function TableOrNote<Row>({ empty, ...table }: ShortList<Row> & { rows: readonly Row[] }) {
  if (table.rows.length > 0) return <Table {...table} />;
  return (
    <FormCard title={empty.title}>
      <p className={muted}>{empty.reason}</p>
    </FormCard>
  );
}
