import { db } from "./connection.server";

/**
 * Renews the statistics and the visibility map of a table to which many rows were added: until then
 * lists of it are read ten times more slowly. It blocks nobody, and waits for a vacuum of the table that runs, which
 * may not see the new rows; where it fails, autovacuum follows later.
 */
export async function vacuum(table: string): Promise<void> {
  await db()
    .raw(`vacuum (analyze) ${table}`)
    .catch(() => {});
}
