import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { redeemOverHttp, type Redeemed } from "../bench/redeem-over-http";
import { hashPassword } from "../../app/features/sign-in/password-hash.server";
import { runRows, secondsOf, type Figure, type Row } from "../bench/row";
import { admin } from "../bench/server";
import { describe, openSite, sendMany, type TrafficResult, type Site } from "./site";
import { runSql } from "../support/run-sql";

/**
 * `npm run load`: what one instance on 2 processors holds, with PostgreSQL and the clients on the same machine. The
 * limits are absolute, so they fail on a slower machine. `LOAD_MINUTES` is how long machines redeem (10); the mix of
 * everything runs twice as long.
 */
const minutes = Number(process.env.LOAD_MINUTES ?? 10);
const secondsEach = 15;

/** Tells how fast this machine is: 126 to 189 a second where the limits were set. */
const hashes = await hashesInASecond();
console.log(`${hashes.toFixed(0)} password hashes in a second; the limits are for 126 to 189\n`);

const site: Site = await openSite();
const { origin, codes, serials, key, person } = site;

async function hashesInASecond(): Promise<number> {
  const count = 40;
  const hash = () => hashPassword(admin.password);
  await hash();
  const seconds = await secondsOf(() => Promise.all(Array.from({ length: count }, hash)));
  return count / seconds;
}

/** One measurement that several rows read. */
function once<Result>(measure: () => Promise<Result>): () => Promise<Result> {
  let running: Promise<Result> | undefined;
  return () => (running ??= measure());
}

const rateOf = ({ answers, seconds }: Pick<TrafficResult, "answers" | "seconds">, status: number) =>
  (answers[status] ?? 0) / seconds;

/** Fails if anything but these statuses was answered. */
function expectOnly({ answers }: Pick<TrafficResult, "answers">, ...statuses: number[]): void {
  const others = Object.keys(answers).filter((status) => !statuses.includes(Number(status)));
  if (others.length > 0) throw new Error(`It was answered ${JSON.stringify(answers)}`);
}

const redeemed = once(async () => {
  await redeemOverHttp({ origin, key, codes, serials, seconds: 5 });
  const result = await redeemOverHttp({ origin, key, codes, serials, seconds: minutes * 60 });
  expectOnly(result, 201);
  return result;
});
const words = ({ answers, seconds, latencies }: Redeemed) =>
  `${JSON.stringify(answers)} in ${seconds.toFixed(0)} s; p50/p99 ${latencies.p50.toFixed(0)}/${latencies.p99.toFixed(0)} ms`;

/** Asks for pages or lists over so many connections, after a first second that is not measured. */
async function load(path: string, headers: Record<string, string>, connections: number) {
  const order = { origin, connections, requests: [{ path, headers }] };
  await sendMany({ ...order, seconds: 2 });
  const result = await sendMany({ ...order, seconds: secondsEach });
  expectOnly(result, 200);
  return result;
}

const pages = {
  json: once(() => load("/api/promotions?status=active&per_page=25", site.headers, 8)),
  list: once(() => load("/app/qr-list", person, 4)),
  dashboard: once(() => load("/app/dashboard?period=month", person, 1)),
};

const addresses = Array.from({ length: 250 }, (_, number) => `10.7.0.${number}`);
const signIns = once(() =>
  sendMany({
    origin,
    connections: 8,
    seconds: secondsEach,
    requests: addresses.map((address) => ({
      path: "/auth/signin/local",
      method: "POST",
      headers: { "Content-Type": "application/json", "X-Forwarded-For": address },
      body: JSON.stringify(admin),
    })),
  }),
);

const rate = (
  name: string,
  floor: number,
  status: number,
  measure: () => Promise<TrafficResult>,
): Row => ({
  name: `${name}: in a second`,
  async measure() {
    const result = await measure();
    return { ratio: rateOf(result, status), floor, detail: describe(result) };
  },
});
const latency = (
  name: string,
  share: "p95" | "p99",
  ceiling: number,
  measure: () => Promise<TrafficResult>,
): Row => ({
  name: `${name}: ${share}, ms`,
  async measure() {
    const result = await measure();
    return { ratio: result.latencies[share], ceiling, detail: describe(result) };
  },
});

const hotCode = "HTCDEFGHJKMN";

/** Adds a code that so many may use at all machines. */
async function insertHotCode(uses: number): Promise<void> {
  await runSql(
    site.databaseUrl,
    `insert into promotions (code, name, discount_type, discount_value, is_single_use, is_renewable,
       max_uses, set_id)
     select $1, 'Load of one', 'free_drink', $2, false, false, $2, set_id
     from promotions order by id limit 1`,
    [hotCode, uses],
  );
}

/** One code, asked for by all machines at once until it is used up. */
async function redeemOneCode(): Promise<Figure> {
  const uses = 1_000;
  await insertHotCode(uses);
  const order = { origin, key, codes: [hotCode], serials, untilRefused: true };
  const result = await redeemOverHttp({ ...order, seconds: 60 });
  if (result.answers[201] !== uses)
    throw new Error(`${uses} uses: ${JSON.stringify(result.answers)}`);
  return { ratio: uses / result.lastApplied, floor: 200, detail: words(result) };
}

/** Makes a mass generation and reads its archive. */
async function generate(count: number) {
  const started = performance.now();
  const answer = await fetch(`${origin}/api/generate_codes`, {
    method: "POST",
    headers: site.headers,
    body: JSON.stringify({
      name: `Load of ${count}`,
      num_codes: count,
      discount_type: "free_drink",
      discount_value: 1,
      is_single_use: true,
      machines: [{ serialNumber: serials[0] }],
    }),
  });
  let firstByte = 0;
  let bytes = 0;
  for await (const chunk of answer.body as unknown as AsyncIterable<Uint8Array>) {
    firstByte ||= performance.now() - started;
    bytes += chunk.length;
  }
  if (!answer.ok) throw new Error(`It was answered ${answer.status}`);
  return { firstByte, whole: performance.now() - started, bytes };
}

const generation = (count: number, limits: { firstByte: number; whole: number }): Row[] => {
  const generated = once(() => generate(count));
  return (["firstByte", "whole"] as const).map((part) => ({
    name: `${count} codes: ${part === "whole" ? "the whole archive" : "the first byte of the archive"}, s`,
    async measure() {
      const { [part]: ms, bytes } = await generated();
      return {
        ratio: ms / 1_000,
        ceiling: limits[part],
        detail: `${(bytes / 1e6).toFixed(1)} MB`,
      };
    },
  }));
};

/** Machines redeem, people read and codes are made, together and for long. */
const mixed = once(async () => {
  const seconds = minutes * 2 * 60;
  await site.eventLoopDelay();
  const memory: number[] = [];
  const watch = setInterval(() => memory.push(site.memory()), 5_000);
  const paths = ["/app/dashboard", "/app/qr-list", "/app/reports", "/app/transactions"];
  const body = (turn: number) => ({
    code: codes[(turn * 7_919) % codes.length],
    serialNumber: serials[turn % 500],
    originalPrice: 250,
    redemptionId: randomUUID(),
  });
  const asMachine = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
  const [machines, people] = await Promise.all([
    sendMany({
      origin,
      seconds,
      connections: 16,
      perSecond: 50,
      requests: Array.from({ length: Math.ceil(seconds * 50) }, (_, turn) => ({
        path: "/api/redemptions",
        method: "POST",
        headers: asMachine,
        body: JSON.stringify(body(turn)),
      })),
    }),
    sendMany({
      origin,
      seconds,
      connections: 8,
      perSecond: 4,
      requests: paths.map((path) => ({ path, headers: person })),
    }),
  ]);
  clearInterval(watch);
  expectOnly(machines, 201);
  expectOnly(people, 200);
  return { machines, people, memory, delay: await site.eventLoopDelay() };
});

const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

const mixRows: Row[] = [
  {
    name: "a mix of everything: p99 of redemptions, ms",
    async measure() {
      const { machines } = await mixed();
      return { ratio: machines.latencies.p99, ceiling: 100, detail: describe(machines) };
    },
  },
  {
    name: "a mix of everything: p95 of pages, ms",
    async measure() {
      const { people } = await mixed();
      return { ratio: people.latencies.p95, ceiling: 250, detail: describe(people) };
    },
  },
  {
    name: "a mix of everything: p99 of the event loop, ms",
    async measure() {
      const { delay: turns } = await mixed();
      return { ratio: turns.p99, ceiling: 50, detail: `at most ${turns.max.toFixed(0)} ms` };
    },
  },
  {
    name: "a mix of everything: memory at the end, MB",
    async measure() {
      const { memory } = await mixed();
      return { ratio: memory.at(-1)!, ceiling: 250, detail: `${memory.length} samples` };
    },
  },
  {
    name: "a mix of everything: growth of memory from the third to the last quarter, MB",
    async measure() {
      const { memory } = await mixed();
      const quarter = Math.floor(memory.length / 4);
      const [third, last] = [memory.slice(2 * quarter, 3 * quarter), memory.slice(3 * quarter)];
      const detail = `${mean(third).toFixed(0)} MB, then ${mean(last).toFixed(0)} MB`;
      return { ratio: mean(last) - mean(third), ceiling: 10, detail };
    },
  },
];

/** Five times as many pages as can be answered, and then one. */
const overloaded = once(async () => {
  const calm = await pages.list();
  const result = await sendMany({
    origin,
    seconds: secondsEach,
    connections: 200,
    perSecond: 5 * rateOf(calm, 200),
    requests: addresses.map((address) => ({
      path: "/app/qr-list",
      headers: { ...person, "X-Forwarded-For": address },
    })),
  });
  expectOnly(result, 200, 503);
  const ended = performance.now();
  while ((await fetch(`${origin}/app/qr-list`, { headers: person })).status !== 200)
    await delay(50);
  return { result, recovery: performance.now() - ended };
});

const rows: Row[] = [
  {
    name: "redemptions: in a second",
    async measure() {
      const result = await redeemed();
      return { ratio: result.answers[201]! / result.seconds, floor: 500, detail: words(result) };
    },
  },
  {
    name: "redemptions: p99, ms",
    async measure() {
      const result = await redeemed();
      return { ratio: result.latencies.p99, ceiling: 100, detail: words(result) };
    },
  },
  { name: "redemptions of one code: in a second", measure: redeemOneCode },
  rate("a filtered list of the API", 250, 200, pages.json),
  latency("a filtered list of the API", "p99", 150, pages.json),
  rate("the QR List", 60, 200, pages.list),
  latency("the QR List", "p95", 250, pages.list),
  latency("the dashboard", "p95", 400, pages.dashboard),
  rate("sign-ins", 40, 200, signIns),
  latency("sign-ins", "p99", 600, signIns),
  ...generation(10_000, { firstByte: 1, whole: 15 }),
  ...generation(100_000, { firstByte: 5, whole: 120 }),
  {
    name: "overload: the first page after it, s",
    async measure() {
      const { result, recovery } = await overloaded();
      return { ratio: recovery / 1_000, ceiling: 5, detail: describe(result) };
    },
  },
  ...mixRows,
];

const holds = await runRows(rows, process.argv.slice(2)).finally(() => site.stop());
process.exitCode = holds ? 0 : 1;
