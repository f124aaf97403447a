import { readFileSync, statSync } from "node:fs";
import path from "node:path";
import pg from "pg";
import { expect, it, onTestFinished } from "vitest";
import { startEmbeddedPostgres } from "../../app/embedded-postgres/embedded-postgres.server";
import { dataFolder } from "../support/app";

const mebibyte = 2 ** 20;

it("keeps the log of the embedded database within its size, and its end readable", async () => {
  const dataDir = dataFolder();
  const { ownerUrl, stop } = await startEmbeddedPostgres({ dataDir });
  onTestFinished(stop);
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  const log = path.join(dataDir, "postgres.log");
  const complain = (text: string) =>
    client.query(`do $$ begin raise log '%', ${text}; end $$`).catch(() => {});

  for (let line = 0; line < 6; line++) await complain("repeat('x', 1000000)");
  expect(statSync(log).size).toBeGreaterThan(4 * mebibyte);
  await expect.poll(() => statSync(log).size).toBeLessThan(mebibyte);
  expect(statSync(`${log}.1`).size).toBeGreaterThan(4 * mebibyte);

  await complain("'written after the rotation'");
  await client.end();
  await expect.poll(() => readFileSync(log, "utf8")).toContain("written after the rotation");
  expect(readFileSync(log, "utf8")).not.toContain("\0");
});

it("keeps in the log what the embedded database said before it was killed", async () => {
  const dataDir = dataFolder();
  const messages: string[] = [];
  const log = (message: string) => void messages.push(message);
  const { ownerUrl, stop } = await startEmbeddedPostgres({ dataDir, log });
  onTestFinished(stop);
  const client = new pg.Client({ connectionString: ownerUrl });
  client.on("error", () => {});
  await client.connect();
  await client.query("do $$ begin raise log 'said before the kill'; end $$");
  const [pid] = readFileSync(path.join(dataDir, "postgres/postmaster.pid"), "utf8").split("\n");
  process.kill(Number(pid), "SIGKILL");
  await expect.poll(() => messages.at(-1), { timeout: 20_000 }).toContain("runs again");
  expect(readFileSync(path.join(dataDir, "postgres.log"), "utf8")).toMatch(
    /said before the kill[^]*ready to accept connections/,
  );
});
