import { spawn, type ChildProcess } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { disconnect } from "../../app/db/connection.server";
import { startEmbeddedPostgres } from "../../app/embedded-postgres/embedded-postgres.server";
import { noPlatform } from "../support/platform";
import { startArguments } from "../support/start-arguments.js";
import { prepareEmptyDatabase } from "../support/test-cluster";

/** The admin of every database of the bench. */
export const admin = { email: "admin@example.com", password: "correct horse battery staple" };

const root = path.resolve(import.meta.dirname, "../..");

/** Starts the product and waits until it is ready. */
export async function spawnProduct(
  environment: Record<string, string>,
  nodeOptions: readonly string[] = [],
) {
  const child = spawn(process.execPath, [...nodeOptions, ...startArguments], {
    cwd: root,
    env: {
      ...process.env,
      PORT: "0",
      DRAIN_SECONDS: "0",
      ...environment,
    },
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  const origin = await new Promise<string>((resolve, reject) => {
    let output = "";
    child.stderr!.on("data", (chunk) => (output += chunk));
    child.stdout!.on("data", function readAddress(chunk) {
      output += chunk;
      const ready = /ready on (http:\S+)/.exec(output);
      if (!ready) return;
      // Searching all lines of the log again for each new one would slow down what is measured.
      child.stdout!.off("data", readAddress).resume();
      resolve(ready[1]!);
    });
    child.once("exit", () => reject(new Error(`The app stopped:\n${output}`)));
  });
  return { child, origin, stop: () => stopProcess(child) };
}

/** Ends a process as a supervisor does. */
export async function stopProcess(child: ChildProcess): Promise<void> {
  const ended = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGTERM");
  await ended;
}

/**
 * Signs the admin in and returns the headers of a client that asks for pages as they are.
 * @throws with the answer's sentence if there is no session
 */
export async function signIn(origin: string) {
  const answer = await fetch(`${origin}/login?_data=routes%2Flogin`, {
    method: "POST",
    redirect: "manual",
    headers: { Origin: origin },
    body: new URLSearchParams(admin),
  });
  const cookie = answer.headers.getSetCookie().find((line) => line.startsWith("sid="));
  if (!cookie) throw new Error(`Signing in was answered ${answer.status}: ${await answer.text()}`);
  return { Cookie: cookie.split(";")[0]!, "Accept-Encoding": "identity" };
}

/** Works with a database server of its own that has nothing but the tables. */
export async function withPostgres<Result>(
  work: (ownerUrl: string) => Promise<Result>,
  settings: string[] = [],
): Promise<Result> {
  const dataDir = mkdtempSync(path.join(tmpdir(), "promo-console-bench-"));
  const postgres = await startEmbeddedPostgres({ dataDir, settings });
  try {
    await prepareEmptyDatabase(postgres.ownerUrl);
    return await work(postgres.ownerUrl);
  } finally {
    await disconnect();
    await postgres.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** The product in a process of its own, with a database of its own that it shares with the bench. */
export async function startServer({
  environment = {},
  nodeOptions = [],
}: { environment?: Record<string, string>; nodeOptions?: string[] } = {}) {
  const dataDir = mkdtempSync(path.join(tmpdir(), "promo-console-bench-"));
  const postgres = await startEmbeddedPostgres({ dataDir, settings: ["max_wal_size=4GB"] });
  const probe = path.resolve(import.meta.dirname, "event-loop-probe.js");
  const { child, origin } = await spawnProduct(
    {
      DATABASE_URL: postgres.ownerUrl,
      ADMIN_EMAIL: admin.email,
      ADMIN_PASSWORD: admin.password,
      TIME_ZONE: "Europe/Berlin",
      ...noPlatform,
      ...environment,
    },
    [...nodeOptions, "--import", probe],
  ).catch(async (error: unknown) => {
    await postgres.stop();
    rmSync(dataDir, { recursive: true, force: true });
    throw error;
  });
  const signedIn = await fetch(`${origin}/auth/signin/local`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(admin),
  });
  const { token } = (await signedIn.json()) as { token: string };
  return {
    origin,
    databaseUrl: postgres.ownerUrl,
    headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
    /** Resident memory now, in MB. */
    memory: () => statusMegabytes(child.pid!, "VmRSS"),
    /** The most resident memory since the last call, in MB. */
    peakMemory() {
      const peak = statusMegabytes(child.pid!, "VmHWM");
      writeFileSync(`/proc/${child.pid}/clear_refs`, "5");
      return peak;
    },
    /** How long timers waited for their turn since the last call, in ms. */
    eventLoopDelay: () =>
      new Promise<{ p99: number; max: number }>((resolve) => {
        child.once("message", (delay) => resolve(delay as { p99: number; max: number }));
        child.send("event loop delay");
      }),
    async stop() {
      await stopProcess(child);
      await postgres.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

export type BenchServer = Awaited<ReturnType<typeof startServer>>;

/** Downloads a file from a server that has nothing else to do, and watches its memory. */
export async function download(pid: number, address: string, headers: HeadersInit) {
  const idle = statusMegabytes(pid, "VmRSS");
  let peak = idle;
  const watch = setInterval(() => (peak = Math.max(peak, statusMegabytes(pid, "VmRSS"))), 50);
  const start = performance.now();
  const secondsSince = () => (performance.now() - start) / 1_000;
  const answer = await fetch(address, { headers });
  let firstByte = 0;
  let bytes = 0;
  let lines = 0;
  for await (const chunk of answer.body as unknown as AsyncIterable<Uint8Array>) {
    firstByte ||= secondsSince();
    bytes += chunk.length;
    for (const byte of chunk) if (byte === 10) lines += 1;
  }
  clearInterval(watch);
  return { firstByte, seconds: secondsSince(), bytes, lines, megabytesOverIdle: peak - idle };
}

export type Downloaded = Awaited<ReturnType<typeof download>>;

function statusMegabytes(pid: number, name: string): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)![1]) / 1_024;
}
