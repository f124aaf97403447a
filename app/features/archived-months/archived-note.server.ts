import { archivedUntil } from "../../db/archived-months.server";
import { siteTimeZone, startOfSiteDay } from "../../db/site.server";
import { formatDateTime } from "../../format/date";
import type { FilterValues, timeFilters } from "../../lists/list";
import { deletedRefusalsNote } from "../reports/refusal-retention.server";

type Subject = "Transactions" | "Refused attempts";

/**
 * Says that transactions are archived, where a period reaches into archived months.
 * @param since the begin of the period; null for all times
 */
export async function archivedNote(
  since: Date | null,
  subject: Subject = "Transactions",
): Promise<string | null> {
  const until = await archivedUntil();
  if (until === null || (since !== null && since >= until)) return null;
  return `${subject} before ${formatDateTime(until, siteTimeZone())} are archived.`;
}

/** Says of refused attempts of all times which are archived or deleted. */
export async function missingRefusalsNote(): Promise<string | null> {
  const archived = await archivedNote(null, "Refused attempts");
  const deleted = await deletedRefusalsNote(new Date(0), new Date());
  return [archived, deleted].filter(Boolean).join(" ") || null;
}

/** Returns the note for a page of a list that may lack older rows: days were chosen, or it is the last page. */
export async function archivedNoteOfPage(
  { created, createdAfter, createdBefore }: FilterValues<ReturnType<typeof timeFilters>>,
  isLastPage: boolean,
  subject: Subject = "Transactions",
): Promise<string | null> {
  if (created !== null || !(createdAfter || createdBefore || isLastPage)) return null;
  const since = createdAfter === null ? null : await startOfSiteDay(createdAfter);
  return archivedNote(since, subject);
}
