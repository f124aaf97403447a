import { siteTimeZone } from "../../db/site.server";
import { csvFile } from "../../codec/csv-file.server";
import { defaultSubject, readAllOutcomes } from "./report.server";
import { reportList, type ReportFilters } from "./report-filters";
import { outcomeColumns } from "./report-view";

/** Writes all rows of a report's table as CSV, those with the most redemptions first. */
export function exportReport(filters: ReportFilters): AsyncGenerator<string> {
  const columns = outcomeColumns(filters.by ?? defaultSubject, siteTimeZone());
  return csvFile(columns, readAllOutcomes(filters, reportList.defaultSort));
}
