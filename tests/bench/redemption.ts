import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { randomBytes, randomUUID } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import pg from "pg";
import { connect, db, disconnect, preparedSettings } from "../../app/db/connection.server";
import type { Pooling } from "../../app/db/database-client.server";
import { loadSite } from "../../app/db/site.server";
import { noCaps } from "../../app/features/caps/cap";
import { editCaps } from "../../app/features/caps/caps.server";
import { publishEvents } from "../../app/features/events/publish-events.server";
import { redeem } from "../../app/features/redemptions/redeem.server";
import { redemptionStatement } from "../../app/features/redemptions/redemption-statements.server";
import { generateCodes } from "../../app/features/promotions/code";
import { hashSecret } from "../../app/features/sign-in/tokens.server";
import { insertUser } from "../factories/people-and-machines";
import { insertWebhook } from "../factories/webhooks";
import { insertKeyAndMachines } from "../support/ledger";
import { selectForUpdate } from "./select-for-update";
import { redeemOverHttp, type Order } from "./redeem-over-http";
import { inTurns, median, medianRatio, type Row } from "./row";
import { startServer } from "./server";

const run = promisify(execFile);

const connections = 8;
const rounds = 3;
const secondsEach = 4;
const serials = Array.from({ length: 50 }, (_, index) => String(1_001 + index));
const numberOfCodes = 32_768;

/** Codes of digits alone, from 2 to 9: pgbench can work them out. */
function codeOf(number: number): string {
  return (222_222_222_222n + BigInt(Number(number).toString(8))).toString();
}
const codes = Array.from({ length: numberOfCodes }, (_, number) => codeOf(number));
/** Codes of a mass generation with hours and caps. */
const cappedCodes = Array.from({ length: 8_192 }, (_, number) => codeOf(numberOfCodes + number));
let key = "";

type Bench = Awaited<ReturnType<typeof startServer>>;
let server: Bench | undefined;

/** One server with its database, shared by the rows below; `db()` is connected to the same one. */
async function open(): Promise<Bench> {
  if (server) return server;
  server = await startServer({ environment: { WEBHOOK_PRIVATE: "1" } });
  const client = new pg.Client({ connectionString: server.databaseUrl });
  await client.connect();
  key = await insertKeyAndMachines(client, serials);
  await client.query(
    `insert into promotions (code, name, discount_type, discount_value, is_single_use, is_renewable,
       max_uses)
     select unnest($1::text[]), 'Bench', 'percentage', 25, false, false, null`,
    [codes],
  );
  await client.query(
    `with generation as (
       insert into mass_generations (name, num_codes, discount_type, discount_value, is_single_use,
         is_renewable, open_minutes)
       values ('Capped', cardinality($1::text[]), 'percentage', 25, false, false,
         '{[0,5000),[5000,10080)}') returning id, set_id)
     insert into promotions (code, name, discount_type, discount_value, is_single_use, is_renewable,
       mass_generation_id, set_id)
     select unnest($1::text[]), 'Capped', 'percentage', 25, false, false, id, set_id from generation`,
    [cappedCodes],
  );
  await client.query(
    "insert into assignments (set_id, machine_id) select distinct p.set_id, m.id from promotions p, machines m",
  );
  await client.query("update assignment_sets set is_assigned = true");
  await client.query("vacuum analyze");
  await client.end();
  connect(server.databaseUrl, { log: console.error });
  await loadSite();
  const [generation] = await db()("mass_generations").pluck<string[]>("id");
  const caps = { ...noCaps, uses: 900_000_000, usesPerDay: 900_000_000, money: 90_000_000_000 };
  await editCaps({ type: "mass_generation", id: generation! }, caps, 1, {
    actor: await insertUser(),
  });
  return server;
}

export async function closeRedemptions(): Promise<void> {
  if (!server) return;
  await disconnect();
  await server.stop();
  server = undefined;
}

/** @returns how often `work` ended in a second, run by as many at once as there are connections */
async function rateOf(work: (turn: number) => Promise<unknown>): Promise<number> {
  const started = performance.now();
  const deadline = started + secondsEach * 1_000;
  let turn = 0;
  await Promise.all(
    Array.from({ length: connections }, async () => {
      while (performance.now() < deadline) await work(turn++);
    }),
  );
  return (turn * 1_000) / (performance.now() - started);
}

function ask(turn: number, from = codes) {
  return {
    code: from[(turn * 7_919) % from.length]!,
    serialNumber: serials[turn % serials.length]!,
    originalPrice: 250,
    redemptionId: randomUUID(),
  };
}

/** Our own function, of which HTTP is not a part. */
const rateFor = (from: string[]) =>
  rateOf(async (turn) => {
    const { outcome } = await redeem(ask(turn, from), key);
    if (outcome !== "applied") throw new Error(`It was ${outcome}`);
  });
const ourRate = () => rateFor(codes);

async function lockingRate(pool: pg.Pool): Promise<number> {
  return rateOf(async (turn) => {
    const client = await pool.connect();
    const isApplied = await selectForUpdate(client, { ...ask(turn), keyHash: hashSecret(key) });
    client.release();
    if (!isApplied) throw new Error("It was refused");
  });
}

/** The same statement over and over, without anything of ours around it. */
async function pgbenchRate(databaseUrl: string): Promise<number> {
  const { text, parameters } = redemptionStatement;
  const statement = text.replace(/\$(\d+)/g, (_binding, number: string) => {
    const name = parameters[Number(number) - 1]!;
    return name === "now" ? "null" : `:${name}`;
  });
  const folder = mkdtempSync(path.join(tmpdir(), "promo-pgbench-"));
  const file = path.join(folder, "redeem.sql");
  writeFileSync(
    file,
    `\\set n random(0, ${numberOfCodes - 1})
\\set code 222222222222 + :n % 8 + 10 * (:n / 8 % 8) + 100 * (:n / 64 % 8) + 1000 * (:n / 512 % 8) + 10000 * (:n / 4096)
\\set serialNumber random(1001, ${1_000 + serials.length})
\\set redemptionId random(1, 9000000000000000000)
${statement.replace(/\s+/g, " ")};
`,
  );
  const options = Object.entries(preparedSettings).map(([name, value]) => `-c ${name}=${value}`);
  const values = [
    "originalPrice=250",
    "timeZone=Europe/Berlin",
    `hash=\\x${hashSecret(key).toString("hex")}`,
  ];
  try {
    const { stdout } = await run(
      "pgbench",
      [
        "-n",
        "-M",
        "prepared",
        "-c",
        String(connections),
        "-j",
        "1",
        "-T",
        String(secondsEach),
        "-f",
        file,
        ...values.flatMap((value) => ["-D", value]),
        databaseUrl,
      ],
      { env: { ...process.env, PGOPTIONS: options.join(" ") } },
    );
    const failed = Number(/number of failed transactions: (\d+)/.exec(stdout)?.[1] ?? 0);
    if (failed > 0) throw new Error(stdout);
    return Number(/tps = ([\d.]+)/.exec(stdout)![1]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const overHttp = async (order: Omit<Order, "origin" | "key" | "serials">) =>
  redeemOverHttp({ ...order, serials, key, origin: (await open()).origin });

/** How many of the rows say so; the database is the witness of what was spent. */
async function count(where: string, values: unknown[]): Promise<number> {
  const { rows } = await db().raw<{ rows: { count: string }[] }>(
    `select count(*) from transactions t join promotions p on p.id = t.promotion_id where ${where}`,
    values as string[],
  );
  return Number(rows[0]!.count);
}

/** A receiver that accepts and counts everything. */
async function startSink() {
  let accepted = 0;
  const sink = createServer((request, response) => {
    accepted += 1;
    request.resume().once("end", () => response.writeHead(204).end());
  });
  await new Promise<void>((resolve) => sink.listen(0, "127.0.0.1", resolve));
  const { port } = sink.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    accepted: () => accepted,
    async close() {
      sink.closeAllConnections();
      await new Promise((resolve) => sink.close(resolve));
    },
  };
}

const perSecond = (rate: number) => `${Math.round(rate).toLocaleString("en")}/s`;

/** Measures our rate and another in turns. */
async function compare(otherRate: () => Promise<number>) {
  const rates = await inTurns({ rounds }, ourRate, otherRate);
  const [ours, theirs] = rates.map(median);
  return {
    ratio: medianRatio(rates),
    detail: `${perSecond(ours!)} against ${perSecond(theirs!)}`,
  };
}

export const redemptionRows: Row[] = [
  {
    name: "redemption: the statement against pgbench with the same SQL, 8 connections",
    async measure() {
      const hasPgbench = await run("pgbench", ["--version"]).catch(() => null);
      if (!hasPgbench) return { skipped: "pgbench is not installed (postgresql-contrib)" };
      const { databaseUrl } = await open();
      return { ...(await compare(() => pgbenchRate(databaseUrl))), floor: 0.65 };
    },
  },
  {
    name: "redemption: the statement against SELECT FOR UPDATE, 8 connections",
    async measure() {
      const { databaseUrl } = await open();
      const pool = new pg.Pool({ connectionString: databaseUrl, max: connections });
      try {
        return { ...(await compare(() => lockingRate(pool))), floor: 1.3 };
      } finally {
        await pool.end();
      }
    },
  },
  {
    name: "redemption: the statement with settings and no name, as behind a pooler in transaction mode, against a named one",
    async measure() {
      const { databaseUrl } = await open();
      const rateWith = (pooling: Pooling) => async () => {
        await disconnect();
        connect(databaseUrl, { log: console.error, pooling });
        return ourRate();
      };
      const rates = await inTurns({ rounds }, rateWith("transaction"), rateWith("session"));
      const [ours, theirs] = rates.map(median);
      const detail = `${perSecond(ours!)} against ${perSecond(theirs!)}`;
      return { ratio: medianRatio(rates), floor: 0.2, detail };
    },
  },
  {
    name: "redemption: over HTTP against the statement alone",
    async measure() {
      await open();
      const p99s: number[] = [];
      const httpRate = async () => {
        const { answers, latencies, seconds } = await overHttp({ codes, seconds: secondsEach });
        expectOnly(answers, 201);
        p99s.push(latencies.p99);
        return answers[201]! / seconds;
      };
      const rates = await inTurns({ rounds }, httpRate, ourRate);
      const detail = `${perSecond(median(rates[0]))}, p99 ${median(p99s).toFixed(1)} ms`;
      return { ratio: medianRatio(rates), floor: 0.15, detail };
    },
  },
  {
    name: "redemption: over HTTP with events and a webhook against without",
    async measure() {
      await open();
      const receiver = await startSink();
      const { id } = await insertWebhook({ url: receiver.url, is_enabled: false });
      const order = { codes, seconds: secondsEach };
      const rate = async () => {
        const { answers, seconds } = await overHttp(order);
        expectOnly(answers, 201);
        return answers[201]! / seconds;
      };
      await rate();
      const withEvents = async () => {
        while ((await publishEvents()) !== "done") await delay(20);
        const last_position = db()("event_log").select("last_position");
        await db()("webhooks").where({ id }).update({ is_enabled: true, last_position });
        // A server that slept takes seconds to look for webhooks: it is measured once it sends.
        const before = receiver.accepted();
        while (receiver.accepted() === before) await overHttp({ codes, seconds: 0.5 });
        const result = await rate();
        await db()("webhooks").where({ id }).update({ is_enabled: false });
        return result;
      };
      const withoutEvents = async () => {
        // A transaction that holds the row of the log keeps events from being published.
        const holding = await db().transaction();
        await holding.raw("select from event_log for update");
        const result = await rate();
        await holding.rollback();
        return result;
      };
      const ratios: number[] = [];
      const rates: number[] = [];
      // Each goes first in turn: a machine that others use changes its pace.
      for (let round = 0; round < rounds + 1; round++) {
        const isFirst = round % 2 === 0;
        const early = isFirst ? await withEvents() : null;
        const without = await withoutEvents();
        rates.push(early ?? (await withEvents()));
        ratios.push(rates.at(-1)! / without);
      }
      await receiver.close();
      const delivered = await db()("webhook_deliveries").where({ state: "delivered" }).pluck("id");
      if (delivered.length === 0) throw new Error("No event was sent meanwhile");
      const detail = `${perSecond(median(rates))}, ${delivered.length} events were sent meanwhile`;
      return { ratio: median(ratios), floor: 0.9, detail };
    },
  },
  {
    name: "redemption: codes of one campaign with hours and three caps against codes without, 8 connections",
    async measure() {
      await open();
      const rates = await inTurns({ rounds: 5 }, () => rateFor(cappedCodes), ourRate);
      const detail = `${perSecond(median(rates[0]))} against ${perSecond(median(rates[1]))}`;
      return { ratio: medianRatio(rates), floor: 0.85, detail };
    },
  },
  {
    name: "redemption: one capped campaign over HTTP, 100 clients, against codes without caps",
    async measure() {
      await open();
      const rate = async (from: string[]) => {
        const { answers, seconds } = await overHttp({
          codes: from,
          seconds: secondsEach,
          connections: 100,
        });
        expectOnly(answers, 201);
        return answers[201]! / seconds;
      };
      const rates = await inTurns(
        { rounds },
        () => rate(cappedCodes),
        () => rate(codes),
      );
      const detail = `${perSecond(median(rates[0]))} against ${perSecond(median(rates[1]))}`;
      return { ratio: medianRatio(rates), floor: 0.5, detail };
    },
  },
  {
    name: "redemption: one hot code over HTTP against many codes",
    async measure() {
      await open();
      const many = await overHttp({ codes, seconds: secondsEach });
      const uses = 1_000;
      const [code] = generateCodes(1, randomBytes);
      await db().raw(
        `with assigned as (
           insert into assignment_sets (is_assigned) values (true) returning id
         ), inserted as (
           insert into promotions (code, name, discount_type, discount_value, is_single_use,
             is_renewable, max_uses, set_id)
           select :code, 'Hot', 'free_drink', :uses, false, false, :uses, id from assigned)
         insert into assignments (set_id, machine_id)
         select assigned.id, m.id from assigned, machines m`,
        { code: code!, uses },
      );
      const { answers, latencies, lastApplied } = await overHttp({
        codes: [code!],
        seconds: 60,
        untilRefused: true,
      });
      expectOnly(answers, 201, 422);
      const applied = await count("p.code = ? and t.status = 'applied'", [code!]);
      if (answers[201] !== uses || applied !== uses)
        throw new Error(`${answers[201]} told, ${applied} spent, ${uses} allowed`);
      const rate = uses / lastApplied;
      const manyRate = many.answers[201]! / many.seconds;
      const detail = `${perSecond(rate)} against ${perSecond(manyRate)}, p99 ${latencies.p99.toFixed(1)} ms, ${uses} allowed and ${applied} spent`;
      return { ratio: rate / manyRate, floor: 0.25, detail };
    },
  },
];

function expectOnly(answers: Record<string, number>, ...expected: number[]): void {
  const others = Object.keys(answers).filter((status) => !expected.includes(Number(status)));
  if (others.length > 0) throw new Error(`Answers: ${JSON.stringify(answers)}`);
}
