import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { assertLedger } from "../support/assert-ledger";
import { builtProduct } from "../support/built";
import { insertRedeemables, redeemableSerials } from "../support/ledger";
import { startPageReaders } from "../support/page-readers";
import { runSql, withClient } from "../support/run-sql";
import { cookieOf, send } from "../support/server";
import { startVendingMachines, type Watch } from "../support/vending-machines";
import { admin, buildNextRelease, copyRelease, startConsole } from "./console";
import { killPostmaster, startDatabase, type DatabaseCluster } from "./database";
import { startPerson } from "./people";
import { openServices, type Service, type Services } from "./services";

/**
 * Kills each part of an installation with the files of `configuration` in turn, and replaces its release, while machines
 * redeem and people work. README tells the limits that are asserted here. KILLS=3 tries the first three kills.
 */
const rounds = Number(process.env.KILLS ?? 20);
/** Time that a supervisor needs to start a program again, in ms. */
const restartMs = 2_000;
/** How long a machine waits for an answer, as in the guide of the API. */
const timeoutMs = 5_000;

let services: Services;
let database: DatabaseCluster;
let site: Awaited<ReturnType<typeof startConsole>>;
let codes: string[];
let key: string;

beforeAll(async () => {
  await builtProduct();
  services = openServices();
  database = await startDatabase(services);
  site = await startConsole(services, database, copyRelease(services, "release"));
  ({ codes, key } = await withClient(database.directUrl, insertRedeemables));
}, 300_000);

afterAll(() => services?.end(), 60_000);

/** Machines that redeem some 20 times a second in all, which leaves room on two processors for everything else. */
const startMachines = (origins: string[]) =>
  startVendingMachines({
    origins,
    key,
    codes,
    serials: redeemableSerials,
    machines: 8,
    timeoutMs,
    retryMs: 500,
    pauseMs: 300,
  });

/** A supervisor: the service is killed, and started again. */
async function restart(service: Service): Promise<void> {
  await service.kill();
  await delay(restartMs);
  service.start();
}

type Kill = {
  /** The longest that a machine may be without an answer, in ms. */
  maxOutageMs: number;
  /** @returns what is started again once machines are answered without it */
  strike: (round: number) => Promise<Service | void>;
};

const kills: Record<string, Kill> = {
  "server of the primary": {
    maxOutageMs: 10_000,
    strike: async () => killPostmaster(await database.primary()),
  },
  "node of the primary": {
    // The lease of a lost primary ends after 20 s.
    maxOutageMs: 30_000,
    async strike() {
      const primary = await database.primary();
      await primary.service.kill();
      await database.failedOver(primary);
      return primary.service;
    },
  },
  "synchronous standby": {
    maxOutageMs: 5_000,
    async strike() {
      const { service } = await database.synchronousStandby();
      await service.kill();
      return service;
    },
  },
  PgBouncer: { maxOutageMs: 5_000, strike: () => restart(database.pooler) },
  "HAProxy of the database": { maxOutageMs: 5_000, strike: () => restart(database.proxy) },
  "instance of the console": {
    maxOutageMs: 1_000,
    async strike(round) {
      const index = Math.floor(round / Object.keys(kills).length) % site.instances.length;
      const { service } = site.instances[index]!;
      await service.kill();
      return service;
    },
  },
};

it(
  `keeps every acknowledged redemption over ${rounds} kills of each part in turn`,
  { timeout: 60_000 * rounds + 60_000 },
  async () => {
    const machines = startMachines(site.instances.map(({ origin }) => origin));
    const person = startPerson(site.origin);
    const results: (Watch & { name: string })[] = [];
    const untilAnswered = async () => {
      const goal = machines.redemptions.size + 40;
      await vi.waitFor(
        () => expect(machines.redemptions.size).toBeGreaterThanOrEqual(goal),
        60_000,
      );
    };
    for (let round = 0; round < rounds; round++) {
      const names = Object.keys(kills);
      const name = names[round % names.length]!;
      await untilAnswered();
      const watched = machines.watch();
      const lost = await kills[name]!.strike(round);
      await untilAnswered();
      results.push({ name, ...watched() });
      printResult(results.at(-1)!);
      lost?.start();
      await database.whole();
      await Promise.all(site.instances.map(({ ready }) => ready()));
    }
    await machines.stop();
    await person.stop();
    console.log(
      `${machines.redemptions.size} redemptions; ${person.journeys()} journeys, answered ${JSON.stringify([...person.statuses])}`,
    );

    expect(machines.violations).toEqual([]);
    expect(person.statuses.has(500)).toBe(false);
    for (const { service } of site.instances) expect(faultsIn(service, 500)).toEqual([]);
    await assertLedger(database.directUrl, machines);
    await assertJourneys(person);
    machines.close();
    for (const { name, outageMs } of results)
      expect(outageMs, name).toBeLessThanOrEqual(kills[name]!.maxOutageMs);
  },
);

it(
  "fails no request while a release with a migration replaces another",
  { timeout: 300_000 },
  async () => {
    const before = site.instances.map(({ service }) => faultsIn(service, 500, 503).length);
    const release = await buildNextRelease(services, "next-release");
    const signedIn = await send(site.origin, "/login", { method: "POST", body: admin });
    const machines = startMachines([site.origin]);
    const cookie = cookieOf(signedIn);
    const readers = startPageReaders(site.origin, { cookie, pauseMs: 500 });
    const scripts = startScriptReader(site.origin, cookie);
    for (const index of site.instances.keys()) expect(await site.replace(index, release)).toBe(0);
    await delay(2_000);
    await Promise.all([machines.stop(), readers.stop(), scripts.stop()]);
    console.log(
      `${machines.redemptions.size} redemptions, ${readers.pages()} pages and ${scripts.names.size} scripts of two releases`,
    );

    expect([...machines.violations, ...readers.violations, ...scripts.violations]).toEqual([]);
    const faults = site.instances.flatMap(({ service }, index) =>
      faultsIn(service, 500, 503).slice(before[index]),
    );
    expect(faults.filter((line) => !line.includes("/readyz"))).toEqual([]);
    expect([machines.unavailable(), machines.unanswered()]).toEqual([0, 0]);
    expect([readers.unavailable(), readers.unanswered()]).toEqual([0, 0]);
    expect(await readRows("select release_note from site_settings")).toEqual([
      { release_note: null },
    ]);
    machines.close();
  },
);

function printResult({
  name,
  outageMs,
  answered,
  unavailable,
  unanswered,
}: Watch & { name: string }) {
  const outage = `${(outageMs / 1_000).toFixed(1)} s`.padStart(7);
  const counts = `${answered} redemptions, ${unavailable} answers 503, ${unanswered} without an answer`;
  console.log(`${name.padEnd(25)} ${outage}  ${counts}`);
}

/** Returns the lines of an instance's log about faults, and about answers with one of the statuses. */
function faultsIn({ output }: Service, ...statuses: number[]): string[] {
  const isFault = new RegExp(`unhandled|uncaught|"status":(${statuses.join("|")})`, "i");
  return output()
    .split("\n")
    .filter((line) => isFault.test(line));
}

/** Fails unless all that a person made is stored once and whole. */
async function assertJourneys(person: ReturnType<typeof startPerson>): Promise<void> {
  expect(person.journeys()).toBeGreaterThan(0);
  const once = Array.from({ length: person.journeys() }, (_, journey) => journey);
  const names = await readRows("select name from promotions where name like 'Single %'");
  expect(names.map(({ name }) => name).sort()).toEqual(
    once.map((journey) => `Single ${journey}`).sort(),
  );
  const generations = await readRows(
    `select g.name, count(*)::integer as codes from mass_generations g
       join promotions p on p.mass_generation_id = g.id group by g.id`,
  );
  expect(generations.map(({ name }) => name).sort()).toEqual(
    once.map((journey) => `Many ${journey}`).sort(),
  );
  expect(new Set(generations.map(({ codes }) => codes))).toEqual(new Set([person.codes]));
}

const readRows = (sql: string) => runSql(database.directUrl, sql);

/** Loads the scripts of a page right after it, from whichever instance the proxy asks. */
function startScriptReader(origin: string, cookie: string) {
  const names = new Set<string>();
  const violations: string[] = [];
  let isRunning = true;
  const running = (async () => {
    while (isRunning) {
      const { body, headers } = await send(origin, "/app/qr-list", { cookie });
      const sources = `${body} ${headers.link}`.match(/\/assets\/[\w.-]+\.js/g) ?? [];
      for (const source of new Set(sources)) {
        names.add(source);
        const { status } = await send(origin, source);
        if (status !== 200) violations.push(`${source}: ${status}`);
      }
      await delay(500);
    }
  })();
  return {
    names,
    violations,
    async stop() {
      isRunning = false;
      await running;
    },
  };
}
