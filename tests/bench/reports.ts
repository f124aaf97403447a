import { randomBytes } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { readDashboard } from "../../app/features/dashboard/dashboard.server";
import {
  reportList,
  subjectLabels,
  type ReportSubject,
} from "../../app/features/reports/report-filters";
import { readReport } from "../../app/features/reports/report.server";
import { periods } from "../../app/features/reports/period";
import { rebuildSummary } from "../../app/features/reports/summary.server";
import { noFiltersOf } from "../../app/lists/list";
import { generateCodes } from "../../app/features/promotions/code";
import { insertKeyAndMachines } from "../support/ledger";
import { noPlatform } from "../support/platform";
import { againstLookUp, millionUrl } from "./million";
import { redeemOverHttp } from "./redeem-over-http";
import { signIn, spawnProduct } from "./server";
import { openTenMillion } from "./ten-million";
import { inTurns, median, medianRatio, type Row } from "./row";
import { runSql, withClient } from "../support/run-sql";

const rounds = 20;
let preparing: Promise<void> | undefined;

/** The history of ten million transactions with its summary. */
function prepare(): Promise<void> {
  return (preparing ??= openTenMillion().then(() => rebuildSummary()));
}

/** The slowest of 20 runs but one, against the median of as many look-ups by primary key between them. */
function row(name: string, ceiling: number, run: () => Promise<unknown>): Row {
  return {
    name: `reports: ${name}, 10,000,000 transactions: p95 against a primary-key look-up`,
    async measure() {
      await prepare();
      const [ours, theirs] = await againstLookUp({ warmUps: 3, rounds }, run);
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

const serials = Array.from({ length: 50 }, (_, index) => String(1_001 + index));
const secondsEach = 15;

/** Adds codes without a limit that 50 more machines accept. */
async function insertCodes(): Promise<{ codes: string[]; key: string }> {
  const codes = generateCodes(20_000, randomBytes);
  const key = await withClient(millionUrl(), (client) => insertKeyAndMachines(client, serials));
  await runSql(
    millionUrl(),
    `with assigned as (
       insert into assignment_sets (is_assigned) values (true) returning id
     ), inserted as (
       insert into promotions (code, name, discount_type, discount_value, is_single_use, is_renewable, set_id)
       select unnest($1::text[]), 'Bench', 'percentage', 25, false, false, id from assigned
     )
     insert into assignments (set_id, machine_id)
     select assigned.id, m.id from assigned, machines m where m.serial_number = any($2)`,
    [codes, serials],
  );
  return { codes, key };
}

/** Opens the dashboard once a second and another report every five seconds, until the work is done. */
async function whilePeopleRead<Result>(
  ask: (path: string) => Promise<unknown>,
  work: Promise<Result>,
): Promise<Result> {
  let isOver = false;
  const every = async (ms: number, paths: string[]) => {
    for (let turn = 0; !isOver; turn++) {
      const start = performance.now();
      await ask(paths[turn % paths.length]!);
      await delay(Math.max(0, ms - (performance.now() - start)));
    }
  };
  const reading = Promise.all([
    every(
      1_000,
      periods.map((period) => `/app/dashboard?period=${period}`),
    ),
    every(
      5_000,
      Object.keys(subjectLabels).map((by) => `/app/reports?by=${by}&period=month`),
    ),
  ]);
  const result = await work;
  isOver = true;
  await reading;
  return result;
}

const besideRedemptions: Row = {
  name: "reports: redemptions over HTTP while people read the dashboard and reports, against without",
  async measure() {
    await prepare();
    const { codes, key } = await insertCodes();
    const { origin, stop } = await spawnProduct({ DATABASE_URL: millionUrl(), ...noPlatform });
    try {
      const headers = await signIn(origin);
      const ask = async (path: string) => {
        const answer = await fetch(origin + path, { headers });
        if (answer.status !== 200) throw new Error(`${path}: ${answer.status}`);
        return answer.text();
      };
      const rate = async (): Promise<number> => {
        const order = { codes, serials, key, origin, seconds: secondsEach };
        const { answers, seconds } = await redeemOverHttp(order);
        return answers[201]! / seconds;
      };
      await whilePeopleRead(ask, rate());
      const rates = await inTurns(
        { warmUps: 0, rounds: 3 },
        () => whilePeopleRead(ask, rate()),
        rate,
      );
      const [beside, alone] = rates.map(median);
      return {
        ratio: medianRatio(rates),
        floor: 0.9,
        detail: `${beside!.toFixed(0)}/s against ${alone!.toFixed(0)}/s`,
      };
    } finally {
      await stop();
    }
  },
};

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
  besideRedemptions,
];
