import { spawn, type ChildProcess } from "node:child_process";
import { chmodSync, rmSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, inject, onTestFinished } from "vitest";
import { builtProduct } from "./built";
import { makeDatabaseFolder } from "./database-folder";
import { freePort } from "./free-port";
import { noPlatform } from "./platform";
import { openClone } from "./postgres";
import { databaseVariables } from "./test-cluster";

export type RunningApp = {
  /** Known when it has answered; '' before. */
  origin: string;
  pid: number;
  /** Everything printed until now, on both streams. */
  output: () => string;
  /** Waits until /readyz answers 200. */
  ready: () => Promise<void>;
  signal: (signal: NodeJS.Signals) => void;
  /** The exit code, or the signal that ended it. */
  ended: Promise<number | NodeJS.Signals | null>;
  /** Ends it as a supervisor does, unless it has ended. */
  stop: () => Promise<void>;
};

/**
 * Starts the built product as `npm start` does, in an environment that holds nothing but what is
 * given. On a database of the test's own there is no vending platform unless one is given. It is
 * stopped at the end of the test.
 * @param options.isWarm in a process that others have used, which takes a tenth of the time, with the limits of `main.js`
 *   beside this file
 */
export async function startApp(
  environment: Record<string, string>,
  options: { main?: string; isWarm?: boolean } = {},
): Promise<RunningApp> {
  const app = await launch(environment, options);
  onTestFinished(() => app.stop(), 60_000);
  return app;
}

/** Returns the variables that make a process run a module of this text before the product. */
export function preload(script: string): { NODE_OPTIONS: string } {
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(script)}` };
}

/** Starts a warm product on a database, and waits until it is ready; its caller stops it. */
export async function startProduct(
  url: string,
  environment: Record<string, string>,
): Promise<RunningApp> {
  const database = databaseVariables(url, inject("postgres"));
  const app = await launch({ ...database, ...environment }, { isWarm: true });
  await app.ready();
  return app;
}

/** Processes whose product has ended; they end with this process. */
const idle: ChildProcess[] = [];

async function launch(
  environment: Record<string, string>,
  { main = path.resolve("app/server/main.js"), isWarm = false },
): Promise<RunningApp> {
  await builtProduct();
  const port = Number(environment.PORT ?? (await freePort()));
  const variables = {
    ...(environment.DATABASE_URL ? { DRAIN_SECONDS: "0", ...noPlatform } : {}),
    ...environment,
    PORT: String(port),
  };
  const child = isWarm ? (idle.pop() ?? spawnWarm()) : spawnCold(main, variables);
  let output = "";
  const read = (chunk: Buffer) => (output += chunk.toString());
  const streams = [child.stdout!, child.stderr!];
  for (const stream of streams) stream.on("data", read);
  let hasEnded = false;
  const ended = new Promise<number | NodeJS.Signals | null>((resolve) => {
    const end = (result: number | NodeJS.Signals | null) => {
      hasEnded = true;
      child.off("close", onClose).off("message", onMessage);
      for (const stream of streams) stream.off("data", read);
      resolve(result);
    };
    const onClose = (code: number | null, signal: NodeJS.Signals | null) => end(code ?? signal);
    const onMessage = (code: unknown) =>
      // Lets output that was printed before the message be read first.
      setImmediate(() => {
        idle.push(child);
        end(code as number);
      });
    child.on("close", onClose).on("message", onMessage);
  });
  if (isWarm) child.send(variables);
  const origin = `http://localhost:${port}`;
  return {
    origin,
    pid: child.pid!,
    output: () => output,
    ended,
    signal: (signal) => child.kill(signal),
    ready: async () => {
      while ((await status(`${origin}/readyz`)) !== 200) {
        if (hasEnded) throw new Error(`It ended before it was ready:\n${output}`);
        await new Promise((resolve) => setTimeout(resolve, 40));
      }
    },
    stop: async () => {
      if (!hasEnded) child.kill("SIGTERM");
      await ended;
    },
  };
}

function spawnCold(main: string, env: Record<string, string>): ChildProcess {
  return spawn(process.execPath, [main], {
    cwd: "/",
    env: env as unknown as NodeJS.ProcessEnv,
    stdio: ["ignore", "pipe", "pipe"],
  });
}

function spawnWarm(): ChildProcess {
  const main = path.resolve("tests/support/main.js");
  return spawn(process.execPath, [main], { stdio: ["ignore", "pipe", "pipe", "ipc"] });
}

/**
 * Runs the built product several times on one database, which the functions of the test file reach
 * too. Call it at the top of the file. Without a vending platform in its environment an instance
 * has none, and the machines stay as a test has made them.
 * @param environments of each instance, what it has besides
 * @returns the instances, in order, which run when the tests do
 */
export function useInstances(environments: Record<string, string>[]): RunningApp[] {
  const instances: RunningApp[] = [];
  let close = async () => {};

  beforeAll(async () => {
    const clone = await openClone();
    ({ close } = clone);
    for (const environment of environments)
      instances.push(await startProduct(clone.url, environment));
  });

  afterAll(async () => {
    await Promise.all(instances.map(({ stop }) => stop()));
    await close();
  });

  return instances;
}

/** 0 when nobody answers. */
export async function status(url: string): Promise<number> {
  try {
    const response = await fetch(url, { redirect: "manual" });
    await response.arrayBuffer();
    return response.status;
  } catch {
    return 0;
  }
}

/** A data folder that goes away at the end of the test. */
export function dataFolder(): string {
  const folder = makeDatabaseFolder("promo-data-");
  // Below a private folder of root's, the database would live elsewhere.
  chmodSync(folder, 0o755);
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return path.join(folder, "data");
}
