import { spawn, type ChildProcess } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { onTestFinished } from "vitest";
import { builtProduct } from "./built";
import { testSecret } from "./app-secret";
import { freePort } from "./free-port";
import { noPlatform } from "./platform";

export type RunningApp = {
  /** Known when it has answered; '' before. */
  origin: string;
  /** Everything printed until now, on both streams. */
  output: () => string;
  /** Waits until /readyz answers 200. */
  ready: () => Promise<void>;
  signal: (signal: NodeJS.Signals) => void;
  /** The exit code, or the signal that ended it. */
  ended: Promise<number | NodeJS.Signals | null>;
};

/**
 * Starts the built product as `npm start` does, in an environment that holds nothing but what is
 * given. On a database of the test's own there is no vending platform unless one is given. It is
 * stopped at the end of the test.
 */
export async function startApp(
  environment: Record<string, string>,
  options: { main?: string } = {},
): Promise<RunningApp> {
  await builtProduct();
  const port = Number(environment.PORT ?? (await freePort()));
  const child = spawn(process.execPath, [options.main ?? path.resolve("app/server/main.js")], {
    cwd: "/",
    env: {
      ...(environment.DATABASE_URL ? { DRAIN_SECONDS: "0", ...noPlatform } : {}),
      ...environment,
      PORT: String(port),
    } as unknown as NodeJS.ProcessEnv,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  child.stdout.on("data", (chunk) => (output += chunk));
  child.stderr.on("data", (chunk) => (output += chunk));
  const ended = new Promise<number | NodeJS.Signals | null>((resolve) =>
    child.on("close", (code, signal) => resolve(code ?? signal)),
  );
  const origin = `http://localhost:${port}`;
  onTestFinished(() => stopApp(child, ended), 60_000);
  return {
    origin,
    output: () => output,
    ended,
    signal: (signal) => child.kill(signal),
    ready: async () => {
      for (;;) {
        if (child.exitCode !== null || child.signalCode !== null) {
          throw new Error(`It ended before it was ready:\n${output}`);
        }
        if ((await status(`${origin}/readyz`)) === 200) return;
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    },
  };
}

/**
 * Starts the built product on a database, with the limits of `main.js` beside this file. Without a vending platform in its environment it has none.
 * @param onOutput gets what is printed on both streams
 */
export function spawnProduct(
  url: string,
  { port, environment }: { port: number; environment: Record<string, string> },
  onOutput: (chunk: Buffer) => void,
): ChildProcess {
  const child = spawn(process.execPath, [path.resolve("tests/support/main.js")], {
    env: {
      PATH: process.env.PATH,
      PORT: String(port),
      DATABASE_URL: url,
      APP_SECRET: testSecret,
      DRAIN_SECONDS: "0",
      ...noPlatform,
      ...environment,
    } as unknown as NodeJS.ProcessEnv,
    stdio: ["ignore", "pipe", "pipe"],
  });
  child.stdout.on("data", onOutput);
  child.stderr.on("data", onOutput);
  return child;
}

/** Ends what `spawnProduct` started, as a supervisor does. */
export async function stopProduct(child: ChildProcess): Promise<void> {
  const ended = new Promise((resolve) => child.once("close", resolve));
  child.kill("SIGTERM");
  await ended;
}

async function stopApp(child: ChildProcess, ended: Promise<unknown>): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) child.kill("SIGTERM");
  await ended;
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
  const folder = mkdtempSync(path.join(tmpdir(), "promo-data-"));
  // Below a private folder of root's, the database would live elsewhere.
  chmodSync(folder, 0o755);
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return path.join(folder, "data");
}
