/** Whether messages leave by themselves: mails, reports by mail and webhook calls wait after a restore (RULES E7). */
import { db, query, readValue, type Database } from "./connection.server";

export function isOutgoingPaused(): Promise<boolean> {
  return readValue(db(), "select is_outgoing_paused from site_settings");
}

export async function pauseOutgoing(trx: Database): Promise<void> {
  await query(trx, "update site_settings set is_outgoing_paused = true");
}

/** @returns false if nothing was paused */
export async function unpauseOutgoing(trx: Database): Promise<boolean> {
  const changed = await query(
    trx,
    "update site_settings set is_outgoing_paused = false where is_outgoing_paused returning 1",
  );
  return changed.length > 0;
}
