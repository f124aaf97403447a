import { siteTimeZone } from "../../db/site.server";
import { csvFile } from "../../codec/csv.server";
import type { Reader } from "../sign-in/user";
import { defaultSubject, readAllResults } from "./report.server";
import { reportList, type ReportFilters } from "./report-filters";
import { resultColumns } from "./report-view";

/** Writes all rows of a report's table as CSV, those with the most redemptions first. */
export function exportReport(filters: ReportFilters, reader: Reader): AsyncGenerator<string> {
  const columns = resultColumns(filters.by ?? defaultSubject, siteTimeZone(), reader);
  return csvFile(columns, readAllResults(filters, reportList.defaultSort));
}
