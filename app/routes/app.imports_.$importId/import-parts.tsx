import { Link } from "@remix-run/react";
import type { Imported } from "../../features/imports/import";
import type { WrongRow } from "../../features/imports/imports.server";
import { countOf, formatNumber } from "../../format/number";
import { CardSection } from "../../ui/layout/detail";
import { FactList } from "../../ui/layout/page";
import { Table } from "../../ui/table/table";
import { withNote } from "../../ui/table/table.css";
import { muted } from "#styles/global.css";
import type { ImportPage } from "./page-view";

export function WrongRows({ rows, total }: { rows: readonly WrongRow[]; total: number }) {
  return (
    <Table
      title="Rows that can't be imported"
      rows={rows}
      rowKey="line"
      columns={[
        {
          heading: "Row",
          isRowHeader: true,
          cell: ({ line }) => `Line ${formatNumber(line)}`,
        },
        { heading: "Entry", cell: ({ entry }) => entry || "(empty)" },
        { heading: "Reason", className: withNote, cell: ({ reason }) => reason },
      ]}
      footer={
        total > rows.length &&
        `${countOf(rows.length, "row")} shown of ${formatNumber(total)}. The CSV file has all.`
      }
    />
  );
}

/** Says what the file makes once it is confirmed, and names the first of it. */
export function Preview({ summary, named }: Pick<ImportPage, "summary" | "named">) {
  return (
    <CardSection title="What will be imported">
      <p>{summary}</p>
      <FactList facts={named.map(({ name, note }) => [name, note])} />
    </CardSection>
  );
}

/** The first entries that came, each with a link to its page. */
export function ImportedList({
  entries,
  hasMore,
}: {
  entries: readonly Imported[];
  hasMore: boolean;
}) {
  if (entries.length === 0) return null;
  return (
    <CardSection title="What was imported">
      <FactList
        facts={entries.map(({ name, note, to }) => [
          <Link key={to} to={to}>
            {name}
          </Link>,
          note,
        ])}
      />
      {hasMore && <p className={muted}>{`The first ${entries.length} are shown.`}</p>}
    </CardSection>
  );
}

/** The first entries that stayed when the import was undone, and why. */
export function StayedList({ entries }: { entries: ImportPage["stayed"] }) {
  if (entries.length === 0) return null;
  return (
    <CardSection title="Not undone">
      <FactList facts={entries.map(({ name, reason }) => [name, reason])} />
    </CardSection>
  );
}
