import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { startEmbeddedPostgres } from "../../app/embedded-postgres/embedded-postgres.server";
import { dataFolder } from "../support/app";
import { runSql } from "../support/run-sql";

async function start(dataDir: string) {
  const cluster = await startEmbeddedPostgres({ dataDir });
  let isRunning = true;
  const stop = async () => {
    if (isRunning) await cluster.stop();
    isRunning = false;
  };
  onTestFinished(stop);
  return { url: cluster.url, stop };
}

async function startTimeOf(url: string): Promise<string> {
  const sql = "select pg_postmaster_start_time()::text as started";
  return (await runSql<{ started: string }>(url, sql))[0]!.started;
}

it("a copy of a live data folder starts beside the original and leaves it alone", async () => {
  const dataDir = dataFolder();
  const original = await start(dataDir);
  const started = await startTimeOf(original.url);
  const [socketFolder = ""] = readFileSync(path.join(dataDir, "postgres-socket"), "utf8").split(
    "\n",
  );

  const copiedDir = dataFolder();
  execFileSync("cp", ["-a", dataDir, copiedDir]);
  const copy = await start(copiedDir);
  expect(await startTimeOf(copy.url)).not.toBe(started);
  await copy.stop();

  expect(await startTimeOf(original.url)).toBe(started);
  await expect(startEmbeddedPostgres({ dataDir })).rejects.toThrow("is already held");
  await original.stop();
  expect(existsSync(socketFolder)).toBe(false);
});
