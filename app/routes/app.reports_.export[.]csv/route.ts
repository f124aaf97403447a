import { exportReport } from "../../features/reports/export-report.server";
import { parseReportFilters, reportList } from "../../features/reports/report-filters";
import { csvRoute } from "../../http/downloads.server";
import { requireUser } from "../../http/guards.server";

export const loader = csvRoute(reportList, exportReport, {
  name: "report",
  parse: parseReportFilters,
  guard: requireUser,
});
