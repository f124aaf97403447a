/** Undoing an import: reads what is in use by now, and stays. */
import { one, type Database } from "../../../db/connection.server";
import { conflict } from "../../../errors";
import { maxNamed, type Stayed } from "../import";

/**
 * Counts what stays, and names the first.
 * @param sql selects `name` and `reason`, in their order
 */
export async function readStayed(database: Database, importId: string, sql: string) {
  const row = await one<Stayed>(
    database,
    `with staying as materialized (${sql})
     select (select count(*)::integer from staying) as count,
       (select coalesce(json_agg(first), '[]')
        from (select name, reason from staying limit ${maxNamed}) first) as named`,
    { importId },
  );
  return row!;
}

/**
 * Makes the step that begins to undo an import.
 * @param undoableSql selects what would go
 * @param stayingSql selects what would stay
 * @throws DomainError conflict: all would stay
 */
export const requireUndoable =
  (undoableSql: string, stayingSql: string) =>
  async (database: Database, importId: string): Promise<void> => {
    if (await one(database, `${undoableSql} limit 1`, { importId })) return;
    if (!(await one(database, `select from (${stayingSql}) staying limit 1`, { importId }))) return;
    throw conflict("Everything from this import is in use, so it can't be undone.");
  };
