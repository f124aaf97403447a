/** The vending platform that lists the machines, or none: then admins add them by hand (RULES M10). */
import { db, query, type Database } from "../../db/connection.server";
import { hasSampleData } from "../../db/sample-data.server";
import { environment } from "../../env.server";
import {
  configuredPlatform,
  samplePlatform,
} from "../../services/vending-platform/configured-platform.server";
import type { VendingPlatform } from "../../services/vending-platform/vending-platform";

/** The sample platform lists the machines of the sample data, as long as the site has it. */
type PlatformKind = "smartvend" | "sample" | "none";

export async function platformKind(database: Database = db()): Promise<PlatformKind> {
  return platformKindOf(environment().sampleData && (await hasSampleData(database)));
}

/** @param hasSampleData whether the site has sample data */
export function platformKindOf(hasSampleData: boolean): PlatformKind {
  if (configuredPlatform()) return "smartvend";
  return environment().sampleData && hasSampleData ? "sample" : "none";
}

/** @returns null: admins add the machines */
export async function currentPlatform(): Promise<VendingPlatform | null> {
  const kind = await platformKind();
  return kind === "sample" ? samplePlatform : configuredPlatform();
}

/** Makes the machines of a platform that is no longer there those of admins, unless there is one. */
export async function releaseMachines(database: Database = db()): Promise<void> {
  if ((await platformKind(database)) !== "none") return;
  await query(database, "update machines set is_manual = true where not is_manual");
  await query(
    database,
    `update platform_sync set attempted_at = now(), succeeded_at = null, failing_since = null,
       failures_in_row = 0, failure_reason = null, failure_status = null,
       bad_items = 0, bad_item_examples = '{}',
       held_id = null, held_at = null, held_listed = null, held_machine_ids = '{}'`,
  );
}
