/** Refused attempts whose retention has ended (RULES N5). */
import { db, one, query } from "../../db/connection.server";
import { hasSampleData } from "../../db/sample-data.server";
import { siteTimeZone, startOfDaySql } from "../../db/site.server";
import { sweep } from "../../db/sweep.server";
import { createdIntervals, type FilterValues, type timeFilters } from "../../lists/list";
import { settings } from "../settings/settings.server";
import { summaryVersion } from "./summary-sql.server";

/**
 * Deletes refused attempts when their retention ends (RULES N5), of those that are summed up. Their sums stay, and are
 * never counted again. While the site has sample data nothing is deleted: its removal takes invented refusals out of the
 * sums. Nor is anything before the summary was built anew after that, which would keep them.
 */
export async function deleteOldRefusals(): Promise<void> {
  const { refusalDays } = settings();
  if (refusalDays === null || (await hasSampleData())) return;
  await query(
    db(),
    `update activity_summary set keeps_refusals = true
     where not keeps_refusals and version = :summaryVersion`,
    { summaryVersion },
  );
  await sweep([
    {
      table: "redemption_attempts",
      key: ["id", "created_at"],
      conditionSql: `outcome <> 'accepted' and created_at < now() - interval '${refusalDays} days'
        and id <= (select last_attempt_id from activity_summary where keeps_refusals)`,
    },
  ]);
}

/** Says that refused attempts are deleted, where a period begins before the time of which they are kept. */
export async function deletedRefusalsNote(from: Date, now: Date): Promise<string | null> {
  const { refusalDays } = settings();
  if (refusalDays === null || (await hasSampleData())) return null;
  const isKept = from.getTime() >= now.getTime() - refusalDays * 86_400_000;
  return isKept ? null : `Refused attempts older than ${refusalDays} days are deleted.`;
}

/** Returns the note for a page of refused attempts that may lack older ones: a time was chosen, or it is the last page. */
export async function deletedRefusalsNoteOfPage(
  { created, createdAfter, createdBefore }: FilterValues<ReturnType<typeof timeFilters>>,
  isLastPage: boolean,
): Promise<string | null> {
  if (!(created || createdAfter || createdBefore || isLastPage)) return null;
  const page = await one<{ from: Date; now: Date }>(
    db(),
    `select now(), coalesce(${startOfDaySql("cast(:createdAfter as date)")},
       now() - cast(:within as interval), 'epoch') as from`,
    { createdAfter, within: created && createdIntervals[created], timeZone: siteTimeZone() },
  );
  return deletedRefusalsNote(page!.from, page!.now);
}
