import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { dataFolder, startApp } from "../support/app";
import { embeddedUrl } from "../support/embedded-url";
import { reportFigures, seconds, tally } from "../support/fault-figures";
import { readZip } from "../support/read-zip";
import { runSql } from "../support/run-sql";

const rounds = 20;
/** Several chunks, and seconds in which it can be killed. */
const numCodes = 50_000;
const admin = { email: "admin@example.com", password: "a password of the tests" };

it(
  "leaves a mass generation whole or not at all after kill -9, and the same key completes it",
  { timeout: 60_000 * (rounds + 1) },
  async () => {
    const dataDir = dataFolder();
    const start = async () => {
      const app = await startApp({
        DATA_DIR: dataDir,
        SAMPLE_DATA: "0",
        ADMIN_EMAIL: admin.email,
        ADMIN_PASSWORD: admin.password,
      });
      await app.ready();
      return app;
    };

    let app = await start();
    const started = performance.now();
    await generate(app.origin, "undisturbed");
    const wholeMs = performance.now() - started;

    const found: number[] = [];
    let completed = 0;
    for (let round = 0; round < rounds; round++) {
      const before = await countCodes(dataDir);
      const delayMs = Math.random() * wholeMs;
      const generating = generate(app.origin, `key-${round}`).catch(() => null);
      // A random delay: the kill may come at any time.
      await new Promise((resolve) => setTimeout(resolve, delayMs));
      app.signal("SIGKILL");
      // Every other round the database dies with it.
      if (round % 2 === 1) process.kill(postmaster(dataDir), "SIGKILL");
      await app.ended;
      await generating;

      app = await start();
      const text = `killed after ${Math.round(delayMs)} of ${Math.round(wholeMs)} ms`;
      found.push((await countCodes(dataDir)) - before);
      expect([0, numCodes], text).toContain(found.at(-1));
      const archive = await generate(app.origin, `key-${round}`);
      expect((await countCodes(dataDir)) - before, text).toBe(numCodes);
      expect((await readZip(archive)).entries, text).toHaveLength(numCodes + 1);
      completed += 1;
    }
    reportFigures(
      "F1",
      `${found.length} kills within the ${seconds(wholeMs)} of a mass generation left ${tally(found)} codes; ` +
        `the same key completed ${completed}`,
    );
  },
);

/** @returns the archive */
async function generate(origin: string, key: string): Promise<Buffer> {
  const headers = { "Content-Type": "application/json" };
  const signedIn = await fetch(`${origin}/auth/signin/local`, {
    method: "POST",
    headers,
    body: JSON.stringify(admin),
  });
  const { token } = (await signedIn.json()) as { token: string };
  const answer = await fetch(`${origin}/api/generate_codes`, {
    method: "POST",
    headers: { ...headers, Authorization: `Bearer ${token}`, "Idempotency-Key": key },
    body: JSON.stringify({
      name: "Killed",
      num_codes: numCodes,
      discount_type: "percentage",
      discount_value: 10,
    }),
  });
  if (answer.status !== 200) throw new Error(await answer.text());
  return Buffer.from(await answer.arrayBuffer());
}

/** By a connection of its own: the database may have been killed since the last one. */
async function countCodes(dataDir: string): Promise<number> {
  const sql = "select count(*)::integer as count from promotions";
  return (await runSql<{ count: number }>(embeddedUrl(dataDir), sql))[0]!.count;
}

function postmaster(dataDir: string): number {
  return Number(readFileSync(path.join(dataDir, "postgres/postmaster.pid"), "utf8").split("\n")[0]);
}
