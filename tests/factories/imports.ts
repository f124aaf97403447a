import { randomUUID } from "node:crypto";
import { db } from "../../app/db/connection.server";
import type { ImportKind } from "../../app/features/imports/import-kinds";
import { insertMachine } from "./people-and-machines";

/** An import of a user, whose file has no rows left; what came with it is a machine. @returns its id */
export async function insertImport(
  userId: string,
  state: "checked" | "imported",
  kind: ImportKind = "codes",
): Promise<string> {
  const [row] = await db()("imports")
    .insert({
      ...{ kind, state, file_name: `${randomUUID()}.csv`, created_by: userId, rows: 1 },
      outcome: { counts: {}, named: [] },
      imported_at: state === "imported" ? db().fn.now() : null,
    })
    .returning<{ id: string }[]>("id");
  const import_id = row!.id;
  if (state === "imported" && kind !== "codes") {
    const machine = await insertMachine({ import_id, is_manual: true });
    if (kind === "groups") await db()("machine_groups").insert({ name: randomUUID(), import_id });
    if (kind === "assignments") {
      const { rows } = await db().raw<{ rows: { id: string }[] }>(
        "insert into assignment_sets (is_assigned) values (true) returning id",
      );
      const set_id = rows[0]!.id;
      await db()("assignments").insert({ set_id, machine_id: machine.id, import_id });
    }
  }
  return import_id;
}
