/** Declares the reports: what results are listed by, their period and their filters. */
import {
  choiceFilter,
  dayFilter,
  defineList,
  idFilter,
  textFilter,
  type FilterValues,
  type Sort,
} from "../../lists/list";
import { filterParams, pageSearch } from "../../lists/list-params";
import { parseFilters } from "../../lists/parse-list";
import { paths } from "../../paths";

export const subjectLabels = {
  generation: "Mass generations",
  promotion: "Single codes",
  machine: "Machines",
  group: "Machine groups",
};
export type ReportSubject = keyof typeof subjectLabels;

/** The heading of the codes of each row. Machines of a group may accept the same ones. */
export const codesHeadings: Record<ReportSubject, string> = {
  generation: "Issued",
  promotion: "Issued",
  machine: "Codes accepted now",
  group: "Most codes at a machine",
};

export const reportPeriods = {
  yesterday: "yesterday",
  "last-week": "last week",
  "7d": "last 7 days",
  "30d": "last 30 days",
  month: "this month",
  "last-month": "last month",
  year: "this year",
};
export type ReportPeriod = keyof typeof reportPeriods;
/** The period of an address without one, and without days of its own. */
export const defaultPeriod: ReportPeriod = "month";

const filters = {
  by: { ...choiceFilter("by", "By", subjectLabels), isView: true as const },
  period: { ...choiceFilter("period", "Period", reportPeriods), isView: true as const },
  from: dayFilter("from", "From", "From"),
  to: { ...dayFilter("to", "To", "To"), notBefore: "from" },
  /** A whole serial number, in either case. */
  machine: textFilter("machine", "Machine", "Serial Number"),
  groupId: idFilter("group", "Machine group"),
  generationId: idFilter("generation", "Campaign", "Campaign number"),
};

export const reportList = defineList({
  path: paths.reports,
  cookie: "rows-reports",
  pageSizes: [10, 25, 50, 100],
  sorts: {
    redeemed: "descending",
    name: "ascending",
    discount: "descending",
    refused: "descending",
  },
  filters,
  filterGroups: {
    Days: ["from", "to"],
    Machines: ["machine", "group"],
    Campaign: ["generation"],
  },
});

export type ReportFilters = FilterValues<typeof filters>;
export type ReportSort = Sort<keyof typeof reportList.sorts>;

const firstReportDay = "2000-01-01";
const lastReportDay = "2099-12-31";

/** Parses the filters; an invalid value lets all rows through, with a message in `errors`. */
export function parseReportFilters(params: URLSearchParams) {
  const parsed = parseFilters(filters, params);
  for (const name of ["from", "to"] as const) {
    const day = parsed.filters[name];
    if (day === null || (day >= firstReportDay && day <= lastReportDay)) continue;
    parsed.errors[name] = "Enter a date from 01/01/2000 to 31/12/2099";
    parsed.filters[name] = null;
  }
  return parsed;
}

/** Returns the parameters of the filters that are set, but for the tab. */
export function reportParams(values: ReportFilters): [string, string][] {
  return filterParams(filters, values);
}

/** The address of the same report with something else in place of a filter. */
export function reportAddress(values: ReportFilters, changes: Partial<ReportFilters>): string {
  return paths.reports + pageSearch(reportParams({ ...values, ...changes }));
}
