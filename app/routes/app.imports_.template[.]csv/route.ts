import { byteOrderMark, csvLine } from "../../codec/csv.server";
import { isImportKind, kindOf } from "../../features/imports/import";
import { downloadRoute } from "../../http/downloads.server";
import { requireEditor } from "../../http/guards.server";

export const loader = downloadRoute(async ({ request }) => {
  const kind = new URL(request.url).searchParams.get("kind") ?? "codes";
  if (!isImportKind(kind)) throw new Response("There is no such template", { status: 400 });
  const { columns } = kindOf(kind);
  const lines = [columns.map(({ name }) => name), columns.map(({ example }) => example)];
  return new Response(byteOrderMark + lines.map(csvLine).join(""), {
    headers: {
      "Content-Type": "text/csv; charset=utf-8",
      "Cache-Control": "private, no-store",
      "Content-Disposition": `attachment; filename="${kind}.csv"`,
    },
  });
}, requireEditor);
