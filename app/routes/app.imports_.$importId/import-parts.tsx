import { Link } from "@remix-run/react";
import type { WrongRow } from "../../features/imports/imports.server";
import { countOf, formatNumber } from "../../format/number";
import { formatCodes } from "../../format/promotion";
import { paths } from "../../paths";
import { CardSection } from "../../ui/layout/detail";
import { FactList } from "../../ui/layout/page";
import { Table } from "../../ui/table/table";

/** The first rows that can't be imported, with what is wrong. */
export function WrongRows({ rows, total }: { rows: readonly WrongRow[]; total: number }) {
  return (
    <Table
      title="Rows that can't be imported"
      rows={rows}
      rowKey="line"
      columns={[
        {
          heading: "Line",
          isRowHeader: true,
          cell: ({ line }) => formatNumber(line),
        },
        { heading: "Entry", cell: ({ entry }) => entry || "(empty)" },
        { heading: "Reason", cell: ({ problem }) => problem },
      ]}
      footer={
        total > rows.length &&
        `${countOf(rows.length, "row")} shown of ${formatNumber(total)}. The CSV file has all.`
      }
    />
  );
}

/** Lists the campaigns that the file makes once it is confirmed. */
export function Preview({
  summary,
  named,
}: {
  summary: string | null;
  named: readonly (readonly [name: string, codes: string])[];
}) {
  return (
    <CardSection title="What will be created">
      <p>{summary}</p>
      <FactList facts={named} />
    </CardSection>
  );
}

type Imported = { id: string; name: string; codes: number; isSingle: boolean };

/** The first campaigns that came, each with a link to its page. */
export function Imported({ campaigns }: { campaigns: readonly Imported[] }) {
  return (
    <CardSection title="What was created">
      <FactList
        facts={campaigns.map(({ id, name, codes, isSingle }) => [
          <Link key={id} to={isSingle ? paths.promotion(id) : paths.generation(id)}>
            {name}
          </Link>,
          formatCodes(codes),
        ])}
      />
    </CardSection>
  );
}
