import { spawn, type ChildProcess } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { startOptions } from "./start-arguments.js";

/** The admin of every app that browsers visit. */
export const admin = { email: "admin@example.com", password: "correct horse battery staple" };

export type App = { origin: string; stop: () => Promise<void> };

const root = path.resolve(import.meta.dirname, "../..");

/** @param start.folder holds a build, and a script that starts it; by default those of this project */
export async function startApp(
  environment: Record<string, string>,
  start = { folder: root, script: "app/server/main.js" },
): Promise<App> {
  const child: ChildProcess = spawn(process.execPath, [...startOptions, start.script], {
    cwd: start.folder,
    env: {
      PATH: process.env.PATH,
      PORT: "0",
      DRAIN_SECONDS: "0",
      ...environment,
    } as unknown as NodeJS.ProcessEnv,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  const origin = await new Promise<string>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      output += chunk;
      const address = /ready on (http:\/\/localhost:\d+)/.exec(output);
      if (address) resolve(address[1]!);
    };
    child.stdout!.on("data", read);
    child.stderr!.on("data", read);
    child.once("exit", (code) => reject(new Error(`The app stopped (${code}):\n${output}`)));
  });
  return {
    origin,
    async stop() {
      const exited = new Promise((resolve) => child.once("exit", resolve));
      child.kill("SIGTERM");
      await exited;
    },
  };
}

/** Starts the product as its users do: with a database of its own in an empty data folder, and sample data. */
export async function startEmbeddedApp(environment: Record<string, string> = {}): Promise<App> {
  const dataDir = await mkdtemp(path.join(tmpdir(), "promo-console-browser-"));
  const app = await startApp({
    DATA_DIR: dataDir,
    ADMIN_EMAIL: admin.email,
    ADMIN_PASSWORD: admin.password,
    ...environment,
  });
  return {
    origin: app.origin,
    async stop() {
      await app.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
