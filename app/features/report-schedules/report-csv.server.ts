/** The tables of a report as CSV files of its mail, as their export has them. */
import { byteOrderMark, csvLine } from "../../codec/csv.server";
import { siteTimeZone } from "../../db/site.server";
import { formatNumber } from "../../format/number";
import { reportList, type ReportSubject } from "../reports/report-filters";
import type { ReportSpan } from "../reports/report-spans.server";
import { resultColumns } from "../reports/report-view";
import {
  readCampaignResults,
  readMachineResults,
  sortResults,
  type ResultRow,
} from "../reports/results.server";
import { everything } from "../reports/summary-sql.server";
import type { Snapshot } from "../reports/snapshot.server";
import type { Reader } from "../sign-in/user";
import type { ReportDays } from "./report-schedule";

/** Rows of one file. A row has at most some 1,200 bytes, so that a mail stays small enough for every mail server. */
const maxCsvRows = 500;

const names = {
  generation: "mass-generations",
  promotion: "single-codes",
  machine: "machines",
} satisfies Partial<Record<ReportSubject, string>>;
type CsvSubject = keyof typeof names;

type Table = { by: CsvSubject; rows: readonly ResultRow[]; total: number };

const sort = reportList.defaultSort;

/** Reads the campaigns with the most redemptions, no more than a file has. */
export async function readCampaigns(
  snapshot: Snapshot,
  span: ReportSpan,
  by: "generation" | "promotion",
): Promise<Table> {
  const page = { sort, limit: maxCsvRows, offset: 0 };
  return { by, ...(await readCampaignResults(snapshot, span, by, everything, page)) };
}

/** Reads all machines, those with the most redemptions first. */
export async function readMachines(snapshot: Snapshot, span: ReportSpan): Promise<Table> {
  const rows = sortResults(await readMachineResults(snapshot, span, everything), sort);
  return { by: "machine", rows, total: rows.length };
}

/** Makes the file of a table, and the note that it was cut; no file without rows. */
export function csvOf(
  { by, rows, total }: Table,
  { firstDay, lastDay }: ReportDays,
  reader: Reader,
) {
  if (rows.length === 0) return { file: null, note: null };
  const fileRows = rows.slice(0, maxCsvRows);
  const columns = resultColumns(by, siteTimeZone(), reader);
  const lines = [
    columns.map(([heading]) => heading),
    ...fileRows.map((row) => columns.map(([, cell]) => cell(row))),
  ];
  const days = firstDay === lastDay ? firstDay : `${firstDay}-to-${lastDay}`;
  const name = `${names[by]}-${days}.csv`;
  return {
    file: { name, content: byteOrderMark + lines.map(csvLine).join("") },
    note:
      total > fileRows.length
        ? `${name} has the first ${formatNumber(fileRows.length)} of ${formatNumber(total)} rows. Open the report to export all.`
        : null,
  };
}
