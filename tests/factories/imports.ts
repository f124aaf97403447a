import { randomUUID } from "node:crypto";
import { db } from "../../app/db/connection.server";

/** An import of a user, whose file has no rows left. @returns its id */
export async function insertImport(userId: string, state: "checked" | "imported"): Promise<string> {
  const [row] = await db()("imports")
    .insert({
      ...{ kind: "codes", state, file_name: `${randomUUID()}.csv`, created_by: userId, rows: 1 },
      outcome: { generations: 0, generationCodes: 0, singles: 1, named: [] },
      imported_at: state === "imported" ? db().fn.now() : null,
    })
    .returning<{ id: string }[]>("id");
  return row!.id;
}
