/** Whether the site has sample data: the rows that were created until a timestamp (RULES A11). */
import { db, query, readValue, type Database } from "./connection.server";

const selectSql = "select sample_data_until is not null from site_settings";

/** Whether the site has sample data, as a value of another statement. */
export const hasSampleDataSql = `(${selectSql})`;

/** @param lock locks the answer until the transaction ends */
export function hasSampleData(
  database: Database = db(),
  lock: "for update" | "" = "",
): Promise<boolean> {
  return readValue(database, `${selectSql} ${lock}`, {}, { isPrepared: lock === "" });
}

/** Whether a timestamp is one of the sample data. @param column of type timestamptz */
export const isSampleSql = (column: string) =>
  `coalesce(${column} <= (select sample_data_until from site_settings), false)`;

export const isAfterSampleSql = (column: string) =>
  `${column} > (select sample_data_until from site_settings)`;

/** Marks the sample data as removed. The site is at its beginning again. */
export async function endSampleData(trx: Database): Promise<void> {
  await query(trx, "update site_settings set sample_data_until = null, codes_downloaded_at = null");
}
