import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync, rmSync, statfsSync } from "node:fs";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { expect, it, onTestFinished, vi } from "vitest";
import { assertLedger } from "../support/assert-ledger";
import { dataFolder, startApp, type RunningApp } from "../support/app";
import { freePort } from "../support/free-port";
import { testSecret } from "../support/app-secret";
import { embeddedUrl } from "../support/embedded-url";
import { insertRedeemables, redeemableSerials } from "../support/ledger";
import { startPageReaders } from "../support/page-readers";
import { noPlatform } from "../support/platform";
import { processesIn } from "../support/processes-in.js";
import { cookieOf, send } from "../support/server";
import { startVendingMachines } from "../support/vending-machines";

/** Faults of server, database and disk, each again and again while machines redeem and people read pages. */
const rounds = 20;
/** Redemptions and pages that stand between two faults. */
const answersBetween = 200;
const pagesBetween = 20;
/** Limits that README and RULES A5 promise, in ms. */
const maxPageMs = 4_000;
const maxRedemptionMs = 12_000;
const maxRecoveryMs = 5_000;

const admin = { email: "admin@example.com", password: "a password of the tests" };

type Product = {
  dataDir: string;
  app: RunningApp;
  isRunning: boolean;
  start: () => Promise<void>;
};
type Fault = {
  /** Whether every request is answered, because the server itself runs on. */
  isAnswered: boolean;
  /** Settles when the fault is over; a server that it ended is started again after it. */
  strike: (product: Product, round: number) => Promise<void>;
};

const faults: Record<string, Fault> = {
  "kill -9 of server and database": {
    isAnswered: false,
    async strike(product, round) {
      const { app, dataDir } = product;
      if (round % 3 !== 0) process.kill(serverProcesses(dataDir).postmaster, "SIGQUIT");
      if (round % 3 === 1) return;
      app.signal("SIGKILL");
      await app.ended;
      product.isRunning = false;
    },
  },

  "orderly restarts": {
    isAnswered: false,
    async strike(product) {
      product.app.signal("SIGTERM");
      expect(await product.app.ended).toBe(0);
      product.isRunning = false;
    },
  },

  "a database that hangs": {
    isAnswered: true,
    async strike({ dataDir }) {
      const { all } = serverProcesses(dataDir);
      for (const pid of all) process.kill(pid, "SIGSTOP");
      await delay(5_000);
      for (const pid of all) process.kill(pid, "SIGCONT");
    },
  },

  "a full disk": {
    isAnswered: true,
    async strike({ dataDir }, round) {
      const filler = path.join(dataDir, "filler");
      // Writes until nothing more fits.
      spawnSync("dd", ["if=/dev/zero", `of=${filler}`, "bs=64K"]);
      expect(statfsSync(dataDir).bavail).toBe(0);
      if (round % 2 === 1) await useUpLog(dataDir);
      // One of the faults is long, so that what waits between its attempts waits for longest.
      await delay(round === 1 ? 12_000 : 3_000);
      rmSync(filler);
    },
  },

  "locked rows": {
    isAnswered: true,
    async strike({ dataDir }) {
      const client = await openClient(dataDir);
      await client.query("begin; select from promotions for update");
      await delay(4_000);
      await client.query("rollback");
      await client.end();
    },
  },
};

it.each(Object.keys(faults))(
  `keeps its bounds and every acknowledged redemption over ${rounds} rounds of %s`,
  { timeout: 60_000 * rounds },
  async (name) => {
    const { isAnswered, strike } = faults[name]!;
    const began = performance.now();
    const product = await startProduct(name === "a full disk" ? smallDisk() : dataFolder());
    const startMs = performance.now() - began;
    const { origin } = product.app;
    const client = await openClient(product.dataDir);
    const { codes, key } = await insertRedeemables(client);
    await client.end();
    const signedIn = await send(origin, "/login", { method: "POST", body: admin });
    const machines = startVendingMachines({
      ...{ origins: [origin], key, codes, serials: redeemableSerials, machines: 12 },
      timeoutMs: maxRedemptionMs,
    });
    const readers = startPageReaders(origin, { cookie: cookieOf(signedIn) });
    const untilAnswered = async (redemptions: number, pages: number) => {
      const goals = [machines.redemptions.size + redemptions, readers.pages() + pages] as const;
      await vi.waitFor(
        () => {
          expect(machines.redemptions.size).toBeGreaterThanOrEqual(goals[0]);
          expect(readers.pages()).toBeGreaterThanOrEqual(goals[1]);
        },
        { timeout: 50_000, interval: 10 },
      );
    };

    const recoveries: number[] = [];
    for (let round = 0; round < rounds; round++) {
      await untilAnswered(answersBetween, pagesBetween);
      await strike(product, round);
      const ended = performance.now();
      if (!product.isRunning) await product.start();
      await untilAnswered(1, 1);
      recoveries.push(performance.now() - ended);
    }
    await untilAnswered(answersBetween, pagesBetween);
    await Promise.all([machines.stop(), readers.stop()]);
    const slowestRecovery = Math.max(...recoveries);
    const unanswered = machines.unanswered() + readers.unanswered();
    console.log(
      `${rounds} rounds of ${name}: ${machines.redemptions.size} redemptions, the slowest ${seconds(machines.slowestMs())}; ` +
        `${readers.pages()} pages, the slowest ${seconds(readers.slowestMs())}; ${unanswered} without an answer; ` +
        `recovered within ${seconds(slowestRecovery)}, first start ${seconds(startMs)}`,
    );

    expect(machines.violations).toEqual([]);
    expect(readers.violations).toEqual([]);
    if (isAnswered) expect(unanswered).toBe(0);
    expect(readers.slowestMs()).toBeLessThan(maxPageMs);
    expect(machines.slowestMs()).toBeLessThan(maxRedemptionMs);
    // On a busy machine every start takes long, and the first one had no requests beside it.
    expect(slowestRecovery).toBeLessThan(
      isAnswered ? maxRecoveryMs : Math.max(maxRecoveryMs, 2 * startMs),
    );
    await assertLedger(embeddedUrl(product.dataDir), machines);
    machines.close();
  },
);

async function startProduct(dataDir: string): Promise<Product> {
  const port = await freePort();
  const start = async () => {
    const app = await startApp({
      ...{ DATA_DIR: dataDir, PORT: String(port), SAMPLE_DATA: "0" },
      ...{ ADMIN_EMAIL: admin.email, ADMIN_PASSWORD: admin.password, APP_SECRET: testSecret },
      // The machines are those of the test: a platform that is away changes none of them.
      ...noPlatform,
    });
    await app.ready();
    return app;
  };
  const product: Product = {
    dataDir,
    app: await start(),
    isRunning: true,
    async start() {
      assertQuiet(product.app.output());
      product.app = await start();
      product.isRunning = true;
    },
  };
  onTestFinished(() => assertQuiet(product.app.output()));
  return product;
}

/** A fault is answered and logged, but is none of ours. */
function assertQuiet(output: string): void {
  expect(output).not.toMatch(/unhandled|UnhandledPromise|uncaught/i);
  expect(output).not.toMatch(/"status":500/);
}

/** Returns a data folder on a disk of its own, which is small enough to be filled. */
function smallDisk(): string {
  const folder = dataFolder();
  const disk = path.dirname(folder);
  execFileSync("mount", ["-t", "tmpfs", "-o", "size=512m,mode=755", "tmpfs", disk]);
  onTestFinished(() => void execFileSync("umount", ["--lazy", disk]));
  return folder;
}

/** Makes the database need new files for its write-ahead log, without which it ends itself. */
async function useUpLog(dataDir: string): Promise<void> {
  const client = new pg.Client({ connectionString: embeddedUrl(dataDir, { isOwner: true }) });
  client.on("error", () => {});
  await client.connect();
  const write = "select pg_logical_emit_message(false, 'fill', repeat('x', 1000000))";
  for (let megabytes = 0; megabytes < 500; megabytes++)
    if (!(await client.query(write).catch(() => null))) break;
  await client.end().catch(() => {});
}

/** Returns the processes of the embedded database, all of which work in its data folder. */
function serverProcesses(dataDir: string): { postmaster: number; all: number[] } {
  const data = path.join(dataDir, "postgres");
  const postmaster = Number(readFileSync(path.join(data, "postmaster.pid"), "utf8").split("\n")[0]);
  return { postmaster, all: processesIn(data) };
}

async function openClient(dataDir: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: embeddedUrl(dataDir) });
  await client.connect();
  return client;
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1_000).toFixed(1)} s`;
}
