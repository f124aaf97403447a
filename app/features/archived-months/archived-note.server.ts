import { archivedUntil } from "../../db/archived-months.server";
import { monthName, monthOf } from "./month";

/**
 * Says that transactions are archived, where a period reaches into archived months.
 * @param since the begin of the period; null for all times
 */
export async function archivedNote(since: Date | null): Promise<string | null> {
  const until = await archivedUntil();
  if (until === null || (since !== null && since >= until)) return null;
  return `Transactions before ${monthName(monthOf(until))} are archived.`;
}
