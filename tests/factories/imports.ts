import { randomUUID } from "node:crypto";
import { db } from "../../app/db/connection.server";
import type { ImportKind } from "../../app/features/imports/import-kinds";

/** An import of a user, whose file has no rows left. @returns its id */
export async function insertImport(
  userId: string,
  state: "checked" | "imported",
  kind: ImportKind = "codes",
): Promise<string> {
  const [row] = await db()("imports")
    .insert({
      kind,
      state,
      file_name: `${randomUUID()}.csv`,
      created_by: userId,
      rows: 1,
      outcome: { counts: {}, named: [] },
      imported_at: state === "imported" ? db().fn.now() : null,
    })
    .returning<{ id: string }[]>("id");
  await db()("import_rows").insert({ import_id: row!.id, line: 2, entry: "A row" });
  return row!.id;
}
