import { openWithoutTimeouts } from "./connection.server";

/**
 * Renews the statistics and the visibility map of a table to which many rows were added: until then
 * lists of it are read ten times more slowly. It blocks nobody, takes as long as millions of rows need, and waits for a
 * vacuum of the table that runs, which may not see the new rows. Where it fails, autovacuum follows later.
 */
export async function vacuum(table: string): Promise<void> {
  const database = openWithoutTimeouts();
  await database.raw(`vacuum (analyze) ${table}`).catch(() => {});
  await database.destroy();
}
