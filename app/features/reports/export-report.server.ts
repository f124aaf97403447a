import { siteTimeZone } from "../../db/site.server";
import { byteOrderMark, csvLine } from "../../format/csv";
import { defaultSubject, readAllOutcomes } from "./report.server";
import { reportList, type ReportFilters } from "./report-filters";
import { outcomeColumns } from "./report-view";

/** Writes all rows of a report's table as CSV, those with the most redemptions first. */
export async function* exportReport(filters: ReportFilters): AsyncGenerator<string> {
  const columns = outcomeColumns(filters.by ?? defaultSubject, siteTimeZone());
  yield byteOrderMark + csvLine(columns.map(([heading]) => heading));
  for await (const rows of readAllOutcomes(filters, reportList.defaultSort))
    yield rows.map((row) => csvLine(columns.map(([, cell]) => cell(row)))).join("");
}
