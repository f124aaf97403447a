import type { ImportState, ImportView } from "../../features/imports/import";
import { paths } from "../../paths";
import { Badge, type Tone } from "../../ui/feedback/badge";
import type { Column } from "../../ui/table/table";

const tones: Record<ImportState, Tone> = {
  checking: "info",
  checked: "warn",
  importing: "info",
  imported: "ok",
  undoing: "info",
  undone: "neutral",
};

export const importColumns: Column<ImportView>[] = [
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
  { heading: "Uploaded", sort: "created", cell: ({ created }) => created },
  { heading: "By", cell: ({ createdBy }) => createdBy },
];
