import { spawn } from "node:child_process";
import path from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { connect, db, disconnect } from "../../app/db/connection.server";
import { startApp } from "../support/app";
import { freePort } from "../support/free-port";
import { testSecret } from "../support/app-secret";
import { cloneDatabase } from "../support/postgres";

/** `npm run simulate` */
function simulate(options: string[], environment: Record<string, string>) {
  const child = spawn(process.execPath, [path.resolve("tests/simulator/run.js"), ...options], {
    env: { PATH: process.env.PATH, ...environment } as unknown as NodeJS.ProcessEnv,
    // Runs in a process group of its own, so that both processes get the Ctrl-C, as at a terminal.
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  child.stdout.on("data", (chunk) => (output += chunk));
  child.stderr.on("data", (chunk) => (output += chunk));
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  return {
    output: () => output,
    ended,
    pressControlC: () => process.kill(-child.pid!, "SIGINT"),
  };
}

it("redeems over HTTP, says once a second what came of it, and takes its key back", async () => {
  const { url, drop } = await cloneDatabase({ isEmpty: true });
  const app = await startApp({
    DATABASE_URL: url,
    APP_SECRET: testSecret,
    SAMPLE_DATA: "1",
    TIME_ZONE: "Europe/Berlin",
  });
  await app.ready();
  connect(url);
  onTestFinished(async () => {
    await disconnect();
    app.signal("SIGTERM");
    await app.ended;
    await drop();
  });
  const count = async () =>
    Number((await db()("transactions").count<{ count: string }[]>())[0]!.count);
  const before = await count();

  const simulator = simulate(["--rate", "40", "--origin", app.origin], {
    DATABASE_URL: url,
    APP_SECRET: testSecret,
  });
  const lines = () => simulator.output().match(/^\d\d:\d\d:\d\d {2}.+$/gm) ?? [];
  await expect.poll(() => lines().length, { timeout: 30_000 }).toBeGreaterThanOrEqual(2);
  simulator.pressControlC();
  expect(await simulator.ended, simulator.output()).toBe(0);

  const all = /In all: (\d+) accepted \(\$\d+\.\d\d given away\)/.exec(simulator.output());
  expect(Number(all?.[1]), simulator.output()).toBeGreaterThan(0);
  expect(await count()).toBe(before + Number(all![1]));
  expect(simulator.output()).toMatch(/not assigned|used up|inactive|expired|deleted/);
  expect(simulator.output()).not.toMatch(/status \d|without answer|not sent/);
  const [integration] = await db()("integrations").select("name");
  expect(integration).toEqual({ name: "Simulator" });
  const keys = await db()("api_keys").whereNotNull("integration_id").select("revoked_at");
  expect(keys).toEqual([{ revoked_at: expect.any(Date) }]);
});

it("says what to do when nothing runs there, and when an option is wrong", async () => {
  const port = await freePort();
  const alone = simulate([], { PORT: String(port) });
  expect(await alone.ended).toBe(1);
  expect(alone.output()).toBe(
    `Nothing answers on http://localhost:${port}. Start the product first (npm start), or say where it is: npm run simulate -- --origin http://localhost:5000\n`,
  );
  const wrong = simulate(["--rate", "many"], {});
  expect(await wrong.ended).toBe(1);
  expect(wrong.output()).toBe("--rate must be from 0.1 to 1000 redemptions a second.\n");
});
