import { byteOrderMark, csvLine } from "../../codec/csv.server";
import { importKinds, isImportKind } from "../../features/imports/import-kinds";
import { downloadRoute } from "../../http/downloads.server";
import { requireEditor } from "../../http/guards.server";

export const loader = downloadRoute(async ({ request }) => {
  const kind = new URL(request.url).searchParams.get("kind") ?? "codes";
  if (!isImportKind(kind)) throw new Response("There is no such template", { status: 400 });
  const { columns } = importKinds[kind];
  const rows = columns[0]!.examples.map((_, row) => columns.map(({ examples }) => examples[row]!));
  const lines = [columns.map(({ name }) => name), ...rows];
  return new Response(byteOrderMark + lines.map(csvLine).join(""), {
    headers: {
      "Content-Type": "text/csv; charset=utf-8",
      "Cache-Control": "private, no-store",
      "Content-Disposition": `attachment; filename="${kind}.csv"`,
    },
  });
}, requireEditor);
