/** Months that `npm run archive` has moved into files. */
import { db, readValue } from "./connection.server";

/** Whether a time is in a month that is not archived, or whose rows are gone, so that what is there counts. @param time an expression */
export const isAtHandSql = (time: string) =>
  `date_trunc('month', ${time} at time zone 'UTC') <> all (
    array(select cast(month as timestamp) from archived_months where not is_removed))`;

/** Whether a time is in an archived month. @param time an expression */
export const isArchivedSql = (time: string) =>
  `date_trunc('month', ${time} at time zone 'UTC') = any (
    array(select cast(month as timestamp) from archived_months))`;

/** Returns the first instant after the last archived month, or null if none is archived. */
export function archivedUntil(): Promise<Date | null> {
  return readValue(
    db(),
    "select cast(max(month) + interval '1 month' as timestamp) at time zone 'UTC' from archived_months",
  );
}
