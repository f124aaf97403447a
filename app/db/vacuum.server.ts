import pLimit from "p-limit";
import { openWithoutTimeouts } from "./connection.server";

const limit = pLimit(1);

/**
 * Renews the statistics and the visibility map of promotions to which many rows were added: until then
 * lists of them are read ten times more slowly. It blocks nobody, takes as long as millions of rows need, and waits for a
 * vacuum that runs, which may not see the new rows. Where it fails, autovacuum follows later.
 */
export async function vacuumPromotions(): Promise<void> {
  // One that waits will see these rows, too.
  if (limit.pendingCount > 0) return;
  await limit(async () => {
    const database = openWithoutTimeouts();
    await database.raw("vacuum (analyze) promotions").catch(() => {});
    await database.destroy();
  });
}
