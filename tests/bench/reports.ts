import { db } from "../../app/db/connection.server";
import { readDashboard } from "../../app/features/dashboard/dashboard.server";
import {
  reportList,
  subjectLabels,
  type ReportSubject,
} from "../../app/features/reports/report-filters";
import { readReport } from "../../app/features/reports/report.server";
import { periods } from "../../app/features/reports/period";
import { rebuildSummary } from "../../app/features/reports/summary.server";
import { noFiltersOf } from "../../app/forms/list";
import { openTenMillion } from "./ten-million";
import { median, type Row } from "./row";

const rounds = 20;
let preparing: Promise<void> | undefined;

/** The history of ten million transactions with its summary. */
function prepare(): Promise<void> {
  return (preparing ??= openTenMillion().then(() => rebuildSummary()));
}

async function time(run: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await run();
  return performance.now() - start;
}

/** The slowest of 20 runs but one, against the median of as many look-ups by primary key between them. */
function row(name: string, ceiling: number, run: () => Promise<unknown>): Row {
  return {
    name: `reports: ${name}, 10,000,000 transactions: p95 against a primary-key look-up`,
    async measure() {
      await prepare();
      const lookUp = () => db().raw("select * from promotions where id = ?", [500_000]);
      const [ours, theirs]: [number[], number[]] = [[], []];
      for (let round = -3; round < rounds; round++) {
        const [report, key] = [await time(run), await time(lookUp)];
        if (round < 0) continue;
        ours.push(report);
        theirs.push(key);
      }
      const p95 = ours.sort((one, other) => one - other)[Math.floor(rounds * 0.95) - 1]!;
      const key = median(theirs);
      return {
        ratio: p95 / key,
        ceiling,
        detail: `${p95.toFixed(0)} ms against ${key.toFixed(2)} ms`,
      };
    },
  };
}

const page = { sort: reportList.defaultSort, limit: 25, offset: 0 };
const report = (filters: object) => () =>
  readReport({ ...noFiltersOf(reportList.filters), ...filters }, page);

/** A look-up takes some 0.4 ms where these bounds were set: 250 ms a dashboard, 1 s a report. */
const dashboardCeiling = 625;
const reportCeiling = 2_500;

export const reportRows: Row[] = [
  ...periods.map((period) =>
    row(`dashboard of ${period}`, dashboardCeiling, () => readDashboard(period)),
  ),
  ...(Object.keys(subjectLabels) as ReportSubject[]).flatMap((by) => [
    row(`by ${by}, this month`, reportCeiling, report({ by, period: "month" })),
    row(`by ${by}, this year`, reportCeiling, report({ by, period: "year" })),
  ]),
  row(
    "of one machine, this year",
    reportCeiling,
    report({ by: "promotion", machine: "VM-10777", period: "year" }),
  ),
  row(
    "of a group, this month",
    reportCeiling,
    report({ by: "promotion", groupId: "7", period: "month" }),
  ),
  row(
    "of a mass generation, this year",
    reportCeiling,
    report({ by: "machine", generationId: "500", period: "year" }),
  ),
];
