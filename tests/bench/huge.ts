/**
 * Compares pages and redemptions with 100,000,000 transactions and 10,000,000 codes to a hundredth of both. Where
 * the disk is short, or HUGE_SHARE says so, it is a share of that, which each line names. The machines are the same share of
 * 2,000, so that each of them redeems as often as with all rows. Runs by `npm run bench -- huge` alone: making the rows takes
 * long.
 */
import { randomUUID } from "node:crypto";
import { statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import { connect, db, disconnect, one } from "../../app/db/connection.server";
import { loadSite } from "../../app/db/site.server";
import { readDashboard } from "../../app/features/dashboard/dashboard.server";
import { readMachineActivity } from "../../app/features/redemptions/activity.server";
import { redeem } from "../../app/features/redemptions/redeem.server";
import { reportList } from "../../app/features/reports/report-filters";
import { readReport } from "../../app/features/reports/report.server";
import { rebuildSummary } from "../../app/features/reports/summary.server";
import { listTransactions } from "../../app/features/transactions/list-transactions.server";
import { noFilters } from "../../app/features/transactions/transaction-filters";
import { noFiltersOf } from "../../app/lists/list";
import { insertKeyAndMachines } from "../support/ledger";
import { prepareEmptyDatabase } from "../support/test-cluster";
import { runLongStatement } from "./million";
import { median, secondsOf, type Row } from "./row";
import { withoutIndexes } from "./ten-million";
import { runSql, withClient } from "../support/run-sql";
import { withPostgres } from "./server";

const transactions = 100_000_000;
const codes = 10_000_000;
const months = 16;
/** Bytes of a transaction with its attempt, redemption id and indexes. */
const bytesPerTransaction = 1_000;
const machines = 2_000;
const runs = 40;

/** Returns the share of the rows that this disk can hold in half of its free bytes. */
async function chooseShare(): Promise<number> {
  const { bavail, bsize } = await statfs(tmpdir());
  const shares = [1, 0.25, 0.1, 0.02, 0.005];
  const fits = (share: number) => share * transactions * bytesPerTransaction < (bavail * bsize) / 2;
  return Number(process.env.HUGE_SHARE) || shares.find(fits) || shares.at(-1)!;
}

const listSerials = (share: number) =>
  Array.from({ length: Math.ceil(machines * share) }, (_, index) => `VM-${10_000 + index}`);

const historySql = (rows: number, codesMade: number, serials: string[]) => [
  `insert into transactions (redemption_id, promotion_id, machine_id, integration_id, type, original_price, discount,
     created_at)
   select 'huge-' || n, (select min(id) from promotions) + n * 7919 % ${codesMade},
     (select min(id) from machines) + n % ${serials.length}, (select min(id) from integrations), 'percentage',
     100 + n % 300, (100 + n % 300) / 4, now() - interval '${months * 30} days' * (1 - n / ${rows}.0)
   from generate_series(cast(1 as bigint), ${rows}) n`,
  `insert into redemption_attempts (redemption_id, code, serial_number, original_price, promotion_id, machine_id,
     integration_id, outcome, transaction_id, created_at)
   select redemption_id, 'ABCDEFGHJKMN', 'VM-10000', original_price, promotion_id, machine_id, integration_id, 'accepted',
     id, created_at from transactions`,
  `insert into redemption_ids select redemption_id, integration_id, id, created_at from redemption_attempts`,
];

type Place = { url: string; key: string; serials: string[] };

/** @param part of the rows and codes that the share has at all its machines */
async function fill(url: string, share: number, part: number): Promise<Place> {
  const [rows, codesMade] = [transactions * share * part, codes * share * part];
  const serials = listSerials(share);
  await prepareEmptyDatabase(url);
  const key = await withClient(url, (client) => insertKeyAndMachines(client, serials));
  const perGeneration = Math.min(1_000, codesMade);
  await runSql(
    url,
    `insert into machine_groups (name) values ('All');
     insert into machine_group_members (group_id, machine_id) select g.id, m.id from machine_groups g, machines m;
     insert into mass_generations (name, num_codes, discount_type, discount_value, is_single_use, is_renewable)
     select 'Batch ' || n, ${perGeneration}, 'percentage', 25, false, false
     from generate_series(1, ${codesMade / perGeneration}) n;
     insert into assignments (set_id, group_id) select g.set_id, m.id from mass_generations g, machine_groups m;
     update assignment_sets set is_assigned = true;
     insert into promotions (code, mass_generation_id, name, discount_type, discount_value, is_single_use, is_renewable, set_id)
     select translate(upper(substr(md5('huge' || g.id || '/' || n), 1, 12)), '01', 'XY'), g.id, g.name, 'percentage', 25,
       false, false, g.set_id
     from mass_generations g, generate_series(1, ${perGeneration}) n on conflict do nothing`,
  );
  connect(url, { log: console.error });
  await loadSite();
  const made = await one<{ codes: number }>(
    db(),
    "select count(*)::integer as codes from promotions",
  );
  await withoutIndexes(months * 30 + 1, historySql(rows, made!.codes, serials));
  await runLongStatement("vacuum analyze");
  await rebuildSummary({ chunkSize: 200_000 });
  await disconnect();
  return { url, key, serials };
}

const tasks = {
  "the page of transactions": () =>
    listTransactions({
      filters: noFilters,
      page: 1,
      perPage: 25,
      after: null,
      before: null,
    }),
  "the page of a machine": async () => {
    const machine = await one<{ id: string }>(db(), "select max(id) as id from machines");
    await readMachineActivity(machine!.id, 30);
  },
  "the dashboard": () => readDashboard("month"),
  "a report": () =>
    readReport(noFiltersOf(reportList.filters), {
      sort: reportList.defaultSort,
      limit: 25,
      offset: 0,
    }),
} satisfies Record<string, () => Promise<unknown>>;

/** Returns the median milliseconds of each task in a database. */
async function measureIn({ url, key, serials }: Place): Promise<Record<string, number>> {
  connect(url, { log: console.error });
  await loadSite();
  const { rows } = await db().raw<{ rows: { code: string }[] }>(
    "select code from promotions order by random() limit 400",
  );
  let next = 0;
  const redeemOne = async () => {
    const { outcome } = await redeem(
      {
        code: rows[next++ % rows.length]!.code,
        serialNumber: serials[next % serials.length]!,
        originalPrice: 250,
        redemptionId: randomUUID(),
      },
      key,
    );
    if (outcome !== "applied") throw new Error(`It was ${outcome}`);
  };
  const figures: Record<string, number> = {};
  for (const [name, task] of Object.entries({ ...tasks, "a redemption": redeemOne })) {
    const times: number[] = [];
    for (let run = 0; run < 5 + runs; run++) times.push((await secondsOf(task)) * 1_000);
    figures[name] = median(times.slice(5));
  }
  await disconnect();
  return figures;
}

type Measured = { share: number; huge: Record<string, number>; small: Record<string, number> };
let measured: Promise<Measured> | undefined;

async function measure(): Promise<Measured> {
  const share = await chooseShare();
  const settings = ["max_wal_size=8GB", "fsync=off", "full_page_writes=off"];
  return withPostgres(async (ownerUrl) => {
    const urlOf = async (name: string) => {
      await runSql(ownerUrl, `create database ${name}`);
      return ownerUrl.replace("/promo_console?", `/${name}?`);
    };
    const small = await fill(await urlOf("small"), share, 0.01);
    const huge = await fill(await urlOf("huge"), share, 1);
    return { share, small: await measureIn(small), huge: await measureIn(huge) };
  }, settings);
}

const number = (value: number) => value.toLocaleString("en-GB");

export const hugeRows: Row[] = [...Object.keys(tasks), "a redemption"].map((name) => ({
  name: `huge: ${name} against a hundredth of the rows`,
  async measure() {
    const { share, huge, small } = await (measured ??= measure());
    const rows = `${number(transactions * share)} transactions and ${number(codes * share)} codes`;
    return {
      ratio: huge[name]! / small[name]!,
      ceiling: 2,
      detail: `${huge[name]!.toFixed(1)} ms against ${small[name]!.toFixed(1)} ms, with ${rows}${share < 1 ? `, ${share * 100} % of what is promised` : ""}`,
    };
  },
}));
