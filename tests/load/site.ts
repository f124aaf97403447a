import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import path from "node:path";
import { promisify } from "node:util";
import { connect, disconnect } from "../../app/db/connection.server";
import { loadSite } from "../../app/db/site.server";
import { generateCodes } from "../../app/features/promotions/code";
import { rebuildSummary } from "../../app/features/reports/summary.server";
import { signIn, startServer, type BenchServer } from "../bench/server";
import { insertKeyAndMachines } from "../support/ledger";
import { withClient } from "../support/run-sql";

const serials = Array.from({ length: 500 }, (_, index) => `VM-${1_001 + index}`);

/** A year of a site with 500 machines: 100,000 codes, of which each machine accepts all, and 1,000,000 transactions. */
const assigned = `
  with added as (insert into assignment_sets (is_assigned) values (true) returning id)
  insert into assignments (set_id, machine_id) select added.id, m.id from added, machines m`;
const promotions = `
  insert into promotions (code, name, discount_type, discount_value, is_single_use, is_renewable, set_id, created_at)
  select code, 'Load ' || at % 200, 'percentage', 5 + at % 90, false, false, (select max(id) from assignment_sets),
    now() - interval '400 days' + interval '5 minutes' * at
  from unnest($1::text[]) with ordinality as listed (code, at)`;
const transactions = `
  insert into transactions (redemption_id, promotion_id, machine_id, type, original_price, discount, created_at)
  select 'load-' || n, 1 + n * 7919 % 100000, 1 + n * 31 % 500, 'percentage', 250, 50,
    now() - interval '400 days' + interval '34 seconds' * n
  from generate_series(1::bigint, 1000000) n`;

export type Site = BenchServer & {
  databaseUrl: string;
  codes: string[];
  serials: string[];
  /** A key of an integration that may redeem. */
  key: string;
  /** Headers of a person who is signed in. */
  person: Record<string, string>;
};

/** Starts the product with that year; clients may send from many addresses. */
export async function openSite(): Promise<Site> {
  const server = await startServer({ environment: { TRUST_PROXY: "1", MAX_CODES: "100000" } });
  try {
    return { ...server, ...(await insertYear(server)), person: await signIn(server.origin) };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

const insertYear = ({ databaseUrl }: BenchServer) =>
  withClient(databaseUrl, async (client) => {
    await client.query("set statement_timeout = 0");
    const key = await insertKeyAndMachines(client, serials);
    const codes = generateCodes(100_000, randomBytes);
    await client.query(assigned);
    await client.query(promotions, [codes]);
    await client.query(transactions);
    await client.query("vacuum analyze");
    await sumUp(databaseUrl);
    return { codes, serials, key };
  });

/** Makes the summary, which the product would make in the background. */
async function sumUp(databaseUrl: string): Promise<void> {
  connect(databaseUrl, { log: console.error });
  try {
    await loadSite();
    await rebuildSummary();
  } finally {
    await disconnect();
  }
}

/** Input of client.js. */
export type Order = {
  origin: string;
  connections: number;
  seconds: number;
  perSecond?: number;
  requests: { path: string; method?: string; headers?: Record<string, string>; body?: string }[];
};

export type TrafficResult = {
  answers: Record<string, number>;
  seconds: number;
  latencies: { p50: number; p95: number; p99: number };
};

/** Sends requests from a process of its own, whose work no figure of the server holds. */
export async function sendMany(order: Order): Promise<TrafficResult> {
  const sending = promisify(execFile)(process.execPath, [
    path.resolve(import.meta.dirname, "client.js"),
  ]);
  sending.child.stdin!.end(JSON.stringify(order));
  return JSON.parse((await sending).stdout) as TrafficResult;
}

/** Says what a client measured in one line. */
export function describe({ answers, seconds, latencies }: TrafficResult): string {
  const counts = Object.entries(answers).map(([status, count]) => `${count} × ${status}`);
  const { p50, p95, p99 } = latencies;
  const ms = [p50, p95, p99].map((value) => value.toFixed(0)).join("/");
  return `${counts.join(", ")} in ${seconds.toFixed(0)} s; p50/p95/p99 ${ms} ms`;
}
