/**
 * Tables with a partition for each month, in UTC. What belongs to no month goes to the default partition, so that no
 * row is refused for lack of one.
 */
import { db, query } from "./connection.server";
import { isDatabaseUnavailable } from "./database-errors.server";

/** Leaves to the next run what others have locked. */
function ignoreLocks(error: unknown): void {
  if (!isDatabaseUnavailable(error)) throw error;
}

/**
 * Makes the partitions of this month and the three after it, and those of rows that the default partition has, and drops the
 * months of events that are empty again.
 */
export async function makePartitions(): Promise<void> {
  const missing = await query<{ parent: string; month: string }>(
    db(),
    "select parent, month::text as month from missing_partitions()",
  );
  for (const { parent, month } of missing)
    await query(db(), "select make_partition(:parent, cast(:month as date))", {
      parent,
      month,
    }).catch(ignoreLocks);
  await query(db(), "select drop_empty_months_of_events()").catch(ignoreLocks);
}
