import { readFileSync } from "node:fs";
import path from "node:path";
import { gunzipSync } from "node:zlib";
import { db } from "../../app/db/connection.server";

/**
 * A compressed dump of the schema and data of the last release before 1.0.0: the sample data, codes that were edited
 * alone, groups (one empty, one with a deleted machine), deleted promotions and generations, redemptions, a rollback,
 * idempotency keys, a saved view and the audit log of all that.
 */
export const oldDump = path.resolve(import.meta.dirname, "../fixtures/before-baseline.sql.gz");

/** Fills the connected database, which is empty, with the dump. */
export async function loadOldDatabase(): Promise<void> {
  const statements = gunzipSync(readFileSync(oldDump)).toString("utf8");
  await db().raw(statements.replaceAll("?", "\\?"));
}
