import { spawn, type ChildProcess } from "node:child_process";
import path from "node:path";
import { afterAll, beforeAll } from "vitest";
import { connect, disconnect } from "../../app/db/connection.server";
import { loadSite } from "../../app/db/site.server";
import { ensureBuild } from "../../app/server/build.js";
import { freePort, status } from "./app";
import { noPlatform } from "./platform";
import { cloneDatabase } from "./postgres";

const secret = "of the tests and nothing but the tests";

/**
 * Runs the built product several times on one database, which the functions of the test file reach
 * too. Call it at the top of the file. Without a vending platform in its environment an instance
 * has none, and the machines stay as a test has made them.
 * @param environments of each instance, what it has besides
 */
export function useInstances(environments: Record<string, string>[]): {
  /** The origins, in order; known when the tests run. */
  origins: string[];
  /** Output of each instance so far. */
  outputs: string[];
} {
  const origins: string[] = [];
  const children: ChildProcess[] = [];
  const outputs: string[] = [];
  let drop = async () => {};

  beforeAll(async () => {
    await ensureBuild();
    const clone = await cloneDatabase();
    drop = clone.drop;
    connect(clone.url);
    await loadSite();
    for (const [index, environment] of environments.entries()) {
      outputs[index] = "";
      const port = await freePort();
      const child = spawn(process.execPath, [path.resolve("app/server/main.js")], {
        env: {
          PATH: process.env.PATH,
          PORT: String(port),
          DATABASE_URL: clone.url,
          APP_SECRET: secret,
          ...noPlatform,
          ...environment,
        } as unknown as NodeJS.ProcessEnv,
        stdio: ["ignore", "pipe", "pipe"],
      });
      child.stdout.on("data", (chunk) => (outputs[index] += chunk));
      child.stderr.on("data", (chunk) => (outputs[index] += chunk));
      children.push(child);
      const origin = `http://localhost:${port}`;
      while ((await status(`${origin}/readyz`)) !== 200) {
        if (child.exitCode !== null) throw new Error(`An instance ended:\n${outputs[index]}`);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      origins.push(origin);
    }
  });

  afterAll(async () => {
    await Promise.all(
      children.map(async (child) => {
        const ended = new Promise((resolve) => child.once("close", resolve));
        child.kill("SIGTERM");
        await ended;
      }),
    );
    await disconnect();
    await drop();
  });

  return { origins, outputs };
}
