import { execFileSync, spawnSync } from "node:child_process";
import { randomBytes, randomUUID } from "node:crypto";
import { readFileSync, rmSync, statfsSync } from "node:fs";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import sharp from "sharp";
import { expect, it, onTestFinished, vi } from "vitest";
import { assertLedger } from "../support/assert-ledger";
import { dataFolder, startApp, type RunningApp } from "../support/app";
import { freePort } from "../support/free-port";
import { testSecret } from "../support/app-secret";
import { embeddedUrl } from "../support/embedded-url";
import { reportFigures, seconds, tally } from "../support/fault-figures";
import { insertRedeemables, redeemableSerials } from "../support/ledger";
import { encodeForm } from "../support/multipart";
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
  /** Cookie of the admin's session. */
  cookie: string;
  app: RunningApp;
  isRunning: boolean;
  start: () => Promise<void>;
};
type Fault = {
  /** The row of `tests/faults/README.md`. */
  row: `F${number}`;
  /** Whether every request is answered, because the server itself runs on. */
  isAnswered: boolean;
  /**
   * Settles when the fault is over; a server that it ended is started again after it. It may return what was ended or
   * answered, for the figures.
   */
  strike: (product: Product, round: number) => Promise<string | void>;
  /** Looks at what the fault has left, when all rounds are over. */
  check?: (product: Product, results: string[], errors: number) => void | Promise<void>;
};

const faults: Record<string, Fault> = {
  "kill -9 of server and database": {
    row: "F3",
    isAnswered: false,
    async strike(product, round) {
      const { app, dataDir } = product;
      const { postmaster } = serverProcesses(dataDir);
      if (round % 3 !== 0) process.kill(postmaster, "SIGQUIT");
      if (round % 3 === 1) {
        await vi.waitFor(() => expect(() => process.kill(postmaster, 0)).toThrow("ESRCH"));
        return "the database";
      }
      app.signal("SIGKILL");
      await app.ended;
      product.isRunning = false;
      return round % 3 === 0 ? "the server" : "both";
    },
  },

  "orderly restarts": {
    row: "F29",
    isAnswered: false,
    async strike(product) {
      product.app.signal("SIGTERM");
      expect(await product.app.ended).toBe(0);
      product.isRunning = false;
    },
  },

  "a database that hangs": {
    row: "F4",
    isAnswered: true,
    async strike({ dataDir }) {
      const { all } = serverProcesses(dataDir);
      for (const pid of all) process.kill(pid, "SIGSTOP");
      await delay(5_000);
      for (const pid of all) process.kill(pid, "SIGCONT");
    },
  },

  "ended connections": {
    row: "F5",
    isAnswered: true,
    async strike({ dataDir }) {
      const client = await openClient(dataDir);
      let ended = 0;
      // 20 rounds of 1.5 s.
      for (let turn = 0; turn < 7; turn++) {
        await delay(200);
        const { rowCount } = await client.query(
          `select pg_terminate_backend(pid) from pg_stat_activity
           where application_name = 'promo-console' and pid <> pg_backend_pid() order by random() limit 1`,
        );
        ended += rowCount ?? 0;
      }
      await client.end();
      return `${ended}`;
    },
    /** The end of a connection fails no other request than its own. */
    check(_product, results, errors) {
      const ended = results.reduce((sum, result) => sum + Number(result), 0);
      expect(errors).toBeLessThanOrEqual(ended);
    },
  },

  "a full disk": {
    row: "F7",
    isAnswered: true,
    async strike({ dataDir, app, cookie }, round) {
      const filler = path.join(dataDir, "filler");
      // Writes until nothing more fits.
      spawnSync("dd", ["if=/dev/zero", `of=${filler}`, "bs=64K"]);
      expect(statfsSync(dataDir).bavail).toBe(0);
      const uploaded = await uploadPhoto(app.origin, cookie);
      expect([303, 503]).toContain(uploaded);
      if (round % 2 === 1) await useUpLog(dataDir);
      // One of the faults is long, so that what waits between its attempts waits for longest.
      await delay(round === 1 ? 12_000 : 3_000);
      rmSync(filler);
      return `${uploaded}`;
    },
    async check({ dataDir, app, cookie }, results) {
      const client = await openClient(dataDir);
      const { rows } = await client.query("select from avatars");
      await client.end();
      expect(results).toContain("503");
      expect(rows).toHaveLength(results.filter((status) => status === "303").length);
      expect(await uploadPhoto(app.origin, cookie)).toBe(303);
    },
  },

  "locked rows": {
    row: "F6",
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
    const { row, isAnswered, strike, check } = faults[name]!;
    const began = performance.now();
    const product = await startProduct(name === "a full disk" ? smallDisk() : dataFolder());
    const startMs = performance.now() - began;
    const { origin } = product.app;
    const client = await openClient(product.dataDir);
    const { codes, key } = await insertRedeemables(client);
    await client.end();
    const signedIn = await send(origin, "/login", { method: "POST", body: admin });
    const machines = startVendingMachines({
      origins: [origin],
      key,
      codes,
      serials: redeemableSerials,
      machines: 12,
      timeoutMs: maxRedemptionMs,
    });
    product.cookie = cookieOf(signedIn);
    const readers = startPageReaders(origin, { cookie: product.cookie });
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
    const results: string[] = [];
    /** During the faults: how long machines waited in ms, and how many requests were answered, and answered 503. */
    const outages: number[] = [];
    let [answered, unavailable, longestLog] = [0, 0, 0];
    await untilAnswered(answersBetween, pagesBetween);
    for (let round = 0; round < rounds; round++) {
      const { app } = product;
      const before = { pages: readers.pages(), unavailable: readers.unavailable() };
      const [watched, printed] = [machines.watch(), app.output().length];
      results.push((await strike(product, round)) ?? "rounds");
      const ended = performance.now();
      if (!product.isRunning) await product.start();
      await untilAnswered(1, 1);
      recoveries.push(performance.now() - ended);
      const watch = watched();
      answered += watch.answered + readers.pages() - before.pages;
      unavailable += watch.unavailable + readers.unavailable() - before.unavailable;
      await untilAnswered(answersBetween, pagesBetween);
      outages.push(watched().outageMs);
      longestLog = Math.max(longestLog, linesBesideRequests(app.output().slice(printed)).length);
    }
    await Promise.all([machines.stop(), readers.stop()]);
    await check?.(product, results, unavailable);
    const slowestRecovery = Math.max(...recoveries);
    const unanswered = machines.unanswered() + readers.unanswered();
    const longestOf = (result: string) =>
      seconds(Math.max(...outages.filter((_, at) => results[at] === result)));
    reportFigures(
      row,
      [
        `${name}: ${tally(results)}`,
        `machines waited for at most ${[...new Set(results)].map((result) => `${longestOf(result)} (${result})`).join(", ")}`,
        `back within ${seconds(slowestRecovery)}, first start ${seconds(startMs)}`,
        `meanwhile ${answered} answers and ${unavailable} × 503, at most ${longestLog} log lines a round beside those of requests`,
        `slowest redemption ${seconds(machines.slowestMs())}, slowest page ${seconds(readers.slowestMs())}`,
        `p99 of ${readers.pages()} pages ${Math.round(readers.p99Ms())} ms, ${unanswered} requests without an answer`,
      ].join("; "),
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
    const { compared, repeated } = await assertLedger(embeddedUrl(product.dataDir), machines);
    reportFigures(
      row,
      `${compared} redemptions stored as acknowledged, ${repeated} repeated alike`,
    );
    machines.close();
  },
);

async function startProduct(dataDir: string): Promise<Product> {
  const port = await freePort();
  const start = async () => {
    const app = await startApp({
      DATA_DIR: dataDir,
      PORT: String(port),
      SAMPLE_DATA: "0",
      ADMIN_EMAIL: admin.email,
      ADMIN_PASSWORD: admin.password,
      APP_SECRET: testSecret,
      // The machines are those of the test: a platform that is away changes none of them.
      ...noPlatform,
    });
    await app.ready();
    return app;
  };
  const product: Product = {
    dataDir,
    cookie: "",
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

/** Returns the lines that belong to no request; each request has one. */
function linesBesideRequests(output: string): string[] {
  return output.split("\n").filter((line) => line && !line.includes('"requestId"'));
}

/** Uploads a photo that hardly compresses. @returns the status */
async function uploadPhoto(origin: string, cookie: string): Promise<number> {
  const noise = { raw: { width: 256, height: 256, channels: 3 as const } };
  const photo = await sharp(randomBytes(256 * 256 * 3), noise)
    .png()
    .toBuffer();
  const form = new FormData();
  form.set("intent", "upload-photo");
  form.set("__rvfInternalFormId", "photo-upload");
  form.set("idempotency_key", randomUUID());
  form.set("photo", new File([new Uint8Array(photo)], "noise.png", { type: "image/png" }));
  const sending = { method: "POST", cookie, ...(await encodeForm(form)) };
  return (await send(origin, "/app/user/edit/profile", sending)).status;
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
