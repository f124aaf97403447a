import { useLoaderData } from "@remix-run/react";
import { siteTimeZone } from "../../db/site.server";
import {
  importList,
  toImportView,
  type ImportState,
  type ImportView,
} from "../../features/imports/import";
import { listImports } from "../../features/imports/imports.server";
import { pageMeta } from "../../forms/page-meta";
import { screenLoader } from "../../http/answers.server";
import { requireEditor } from "../../http/guards.server";
import { loadList } from "../../http/list.server";
import { paths } from "../../paths";
import { Badge, type Tone } from "../../ui/feedback/badge";
import { ButtonLink } from "../../ui/form/button";
import { ListScreen } from "../../ui/list/list-screen";
import type { Column } from "../../ui/table/table";

export const meta = pageMeta();

export const loader = screenLoader(requireEditor, ({ request }, { user }) =>
  loadList(request, importList, async ({ query }) => {
    const { rows, ...page } = await listImports(user, query);
    return { ...page, rows: rows.map((item) => toImportView(item, siteTimeZone())) };
  }),
);

const tones: Record<ImportState, Tone> = {
  checking: "info",
  checked: "warn",
  importing: "info",
  imported: "ok",
  undoing: "info",
  undone: "neutral",
};

const columns: Column<ImportView>[] = [
  {
    heading: "File",
    isRowHeader: true,
    cell: ({ id, fileName }) => <a href={paths.import(id)}>{fileName}</a>,
  },
  { heading: "Content", cell: ({ kindLabel }) => kindLabel },
  { heading: "Rows", isNumber: true, cell: ({ rows }) => rows },
  {
    heading: "Status",
    isBadge: true,
    cell: ({ state, stateLabel, wrongRows }) => (
      <Badge tone={state === "checked" && wrongRows > 0 ? "bad" : tones[state]}>{stateLabel}</Badge>
    ),
  },
  { heading: "Uploaded", cell: ({ created }) => created },
  { heading: "By", cell: ({ createdBy }) => createdBy },
];

export default function Imports() {
  const list = useLoaderData<typeof loader>();
  return (
    <ListScreen
      title="Imports"
      actions={
        <ButtonLink to={paths.newImport} variant="primary" icon="plus">
          Import a file
        </ButtonLink>
      }
      list={importList}
      data={list}
      noun="import"
      columns={columns}
      empty={{
        icon: "qr-list",
        title: "No imports yet",
        reason:
          "Import printed codes, machines, machine groups or assignments from a CSV file. It is checked first, and nothing is written before you confirm it.",
      }}
    />
  );
}
