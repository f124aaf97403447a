// Without script: the same; pages are links.
import { codeList } from "../../features/mass-generations/mass-generation-view";
import { StatusBadge } from "../../features/promotions/status-badge";
import { paths } from "../../paths";
import { Section } from "../../ui/layout/page";
import { ListTable, type Column } from "../../ui/table/list-table";
import * as table from "../../ui/table/table.css";
import * as css from "./generation-page.css";
import type { CodesView } from "./page-view";

const columns: Column<CodesView["rows"][number]>[] = [
  {
    heading: "Code",
    isRowHeader: true,
    cell: ({ id, code }) => (
      <a href={paths.promotion(id)}>
        <code className={css.code}>{code}</code>
      </a>
    ),
  },
  {
    heading: "Status",
    isBare: true,
    className: table.status,
    cell: ({ status }) => <StatusBadge status={status} />,
  },
  { heading: "Used", isNumber: true, cell: ({ used }) => used },
  { heading: "Uses left", isNumber: true, cell: ({ usesLeft }) => usesLeft },
];

export function CodesTable({ name, codes }: { name: string; codes: CodesView }) {
  return (
    <Section title="Codes">
      <ListTable caption={`Codes of ${name}`} fits list={codeList} data={codes} columns={columns} />
    </Section>
  );
}
